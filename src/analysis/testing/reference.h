// SPDX-License-Identifier: Apache-2.0
// Reference networks in the folder shared/, with counts from PyTorch's dispatcher, for tests of
// this folder and those above it.
//
//   for (const auto& path : reference_models())
//     const Result<Resolved> r = resolve_reference(path, counts_of(path));
//
// The list is empty if the folder is absent; tests then skip.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/resolved.h"
#include "onnx/reader.h"

namespace ridge::analysis::testing {

inline std::vector<std::filesystem::path> reference_models() {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  const char* shared = std::getenv("RIDGE_SHARED");
  if (shared == nullptr || !fs::is_directory(fs::path(shared) / "models")) return found;
  for (const auto& entry : fs::directory_iterator(fs::path(shared) / "models"))
    if (entry.path().extension() == ".onnx") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

inline nlohmann::json counts_of(const std::filesystem::path& model) {
  return nlohmann::json::parse(
      std::ifstream(std::filesystem::path(model).replace_extension(".json")));
}

inline Result<Resolved> resolve_reference(const std::filesystem::path& model,
                                          const nlohmann::json& counts) {
  Bindings bindings;
  for (const auto& [name, shape] : counts["inputs"].items())
    bindings.shapes[name] = shape.get<std::vector<std::int64_t>>();
  auto document = std::make_shared<const onnx::Document>(TRY(onnx::read_file(model.string())));
  return resolve(std::make_shared<const graph::Model>(TRY(graph::Model::build(document))),
                 bindings);
}

}  // namespace ridge::analysis::testing
