// SPDX-License-Identifier: Apache-2.0
// Opens a model by name: a file, or a network of the zoo.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "graph/model.h"
#include "onnx/reader.h"

namespace ridge::session {

struct OpenedModel {
  std::shared_ptr<const graph::Model> model;
  std::map<std::string, std::int64_t> defaults;  ///< default sizes of a zoo network
};

/// Limits for models that are analyzed and not run. Weights of up to 8 elements are loaded, because
/// they may control shapes and are part of structure_hash(); larger ones are read on demand.
inline constexpr onnx::Limits kForCounting{.inline_weights = 8};

/// True if `name` has the form of a model's name: "zoo:NAME", or a path that ends in .onnx.
bool is_model_name(const std::string& name);

/// Reads or builds a model. `name`: a path, or "zoo:NAME". Errors: as onnx::read_file,
/// zoo::make and Model::build, naming the file.
Result<OpenedModel> open_model(const std::string& name, const onnx::Limits& limits = {});

}  // namespace ridge::session
