// SPDX-License-Identifier: Apache-2.0
#include "export/formats/profiled_model.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::exports {
namespace {

using profile::Profile;

Error another_model(std::string what) {
  return input_error("RIDGE-EXP-0003",
                     "this is not the model that was profiled: " + std::move(what))
      .hint("pass the profiled model with --model");
}

}  // namespace

Result<void> check_model(const Profile& p, const graph::Model& model) {
  if (!p.subject.graph_hash.empty()) {
    const std::string hash = graph::structure_hash(model);
    if (hash != p.subject.graph_hash)
      return another_model(fmt::format("its structure hash is {}, that of the run is {}", hash,
                                       printable(p.subject.graph_hash)));
    return {};
  }
  for (const profile::Node& n : p.nodes) {
    if (n.index >= model.nodes().size())
      return another_model(
          fmt::format("the run refers to node #{}, the model has {}", n.index,
                      counted(static_cast<std::int64_t>(model.nodes().size()), "node")));
    const std::string_view type = model.node(n.index).op_type;
    if (type != n.op_type)
      return another_model(fmt::format("node #{} is {}, in the run it is {}", n.index,
                                       printable(type), printable(n.op_type)));
  }
  return {};
}

}  // namespace ridge::exports
