// The model that a verb was given: a file, or a network of the zoo.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "graph/model.h"
#include "onnx/reader.h"

namespace ridge::workbench {

struct OpenedModel {
  std::shared_ptr<const graph::Model> model;
  std::map<std::string, std::int64_t> defaults;  ///< sizes that a zoo network assumes
};

/// Enough where a model is counted and not run: constants of up to 8 elements may steer, and those
/// alone are part of structure_hash(); more of a weight is read where a rule asks for it.
inline constexpr onnx::Limits kForCounting{.inline_weights = 8};

/// Whether a text has the form of a model's name: "zoo:NAME", or a path that ends in .onnx.
bool names_model(const std::string& name);

/// `name`: a path, or "zoo:NAME". Errors: those of onnx::read_file, zoo::make and
/// Model::build, naming the file.
Result<OpenedModel> open_model(const std::string& name, const onnx::Limits& limits = {});

}  // namespace ridge::workbench
