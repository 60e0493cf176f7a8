// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/model_data.h"

#include "onnx/external_tensors.h"
#include "onnx/reader.h"
#include "onnx/weights.h"

namespace ridge::evaluation {

Result<std::vector<manifest::RegistrySource>> external_files(const std::string& model) {
  const onnx::Document document = TRY(onnx::read_file(model));
  std::vector<manifest::RegistrySource> out;
  for (const auto& [location, tensor] : onnx::external_tensors(document.model)) {
    std::string path = TRY(onnx::locate(document, *tensor)).file->path();
    out.push_back({std::string(location), std::move(path)});
  }
  return out;
}

}  // namespace ridge::evaluation
