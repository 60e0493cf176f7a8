// SPDX-License-Identifier: Apache-2.0
#include "session/model_source.h"

#include <utility>

#include "zoo/source.h"

namespace ridge::session {
namespace {

/// A node takes about 400 bytes, so these limits keep the graph of any file below 256 MiB. The
/// largest known models have a third of this number of nodes.
constexpr graph::BuildLimits kLimits{.nodes = 600'000, .expanded = 400'000};

}  // namespace

bool is_model_name(const std::string& name) {
  return name.starts_with("zoo:") || name.ends_with(".onnx");
}

Result<OpenedModel> open_model(const std::string& name, const onnx::Limits& limits) {
  std::shared_ptr<const onnx::Document> document = TRY(zoo::open_model(name, limits));
  OpenedModel opened;
  opened.defaults = zoo::default_sizes(name);
  opened.model =
      std::make_shared<const graph::Model>(TRY(graph::Model::build(std::move(document), kLimits)));
  return opened;
}

}  // namespace ridge::session
