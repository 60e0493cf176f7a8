#include "cli/model_file.h"

#include <string_view>

#include "onnx/reader.h"
#include "zoo/zoo.h"

namespace ridge::cli {
namespace {

constexpr std::string_view kZoo = "zoo:";

Result<onnx::Document> read(const std::string& name) {
  if (!name.starts_with(kZoo)) return onnx::read_file(name);
  return zoo::make(std::string_view(name).substr(kZoo.size()));
}

}  // namespace

Result<OpenedModel> open_model(const std::string& name) {
  auto document = std::make_shared<const onnx::Document>(TRY(read(name)));
  OpenedModel opened;
  opened.model =
      std::make_shared<const graph::Model>(TRY(graph::Model::build(std::move(document))));
  if (!name.starts_with(kZoo)) return opened;
  if (const zoo::Entry* entry = zoo::find(std::string_view(name).substr(kZoo.size())))
    for (const zoo::DefaultSize& size : entry->sizes)
      opened.defaults.emplace(size.name, size.value);
  return opened;
}

}  // namespace ridge::cli
