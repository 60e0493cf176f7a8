#include "cli/model_file.h"

#include <utility>

#include "zoo/source.h"

namespace ridge::cli {

Result<OpenedModel> open_model(const std::string& name) {
  std::shared_ptr<const onnx::Document> document = TRY(zoo::open_model(name));
  OpenedModel opened;
  opened.defaults = zoo::default_sizes(name);
  opened.model =
      std::make_shared<const graph::Model>(TRY(graph::Model::build(std::move(document))));
  return opened;
}

}  // namespace ridge::cli
