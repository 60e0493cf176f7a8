#include "cli/model_file.h"

#include "onnx/reader.h"

namespace ridge::cli {

Result<OpenedModel> open_model(const std::string& name) {
  auto document = std::make_shared<const onnx::Document>(TRY(onnx::read_file(name)));
  OpenedModel opened;
  opened.model =
      std::make_shared<const graph::Model>(TRY(graph::Model::build(std::move(document))));
  return opened;
}

}  // namespace ridge::cli
