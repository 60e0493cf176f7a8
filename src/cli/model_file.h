// The model that a verb was given: a file, or a network of the zoo.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "graph/model.h"

namespace ridge::cli {

struct OpenedModel {
  std::shared_ptr<const graph::Model> model;
  std::map<std::string, std::int64_t> defaults;  ///< sizes that a zoo network assumes
};

/// `name`: a path, or "zoo:NAME". Errors: those of onnx::read_file, zoo::make and
/// Model::build, naming the file.
Result<OpenedModel> open_model(const std::string& name);

}  // namespace ridge::cli
