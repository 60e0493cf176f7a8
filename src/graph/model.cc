#include "graph/model.h"

#include <fmt/format.h>

#include "graph/builder.h"

namespace ridge::graph {

Result<Model> Model::build(std::shared_ptr<const onnx::Document> document,
                           const BuildLimits& limits) {
  Model model;
  model.document_ = std::move(document);
  model.arena_ = std::make_shared<Arena>();
  Builder builder(model, limits);
  if (Result<void> built = builder.run(); !built.ok())
    return std::move(built).error().in_file(model.document_->path);
  return model;
}

std::span<const NodeId> Model::consumers(ValueId id) const {
  return std::span(consumer_).subspan(consumer_start_[id],
                                      consumer_start_[id + 1] - consumer_start_[id]);
}

std::string Model::describe(NodeId id) const {
  const onnx::Node& n = *nodes_[id].source;  // also used for nodes whose kind is not set yet
  return n.name.empty() ? fmt::format("node #{} ({})", id, n.op_type.view())
                        : fmt::format("node #{} '{}'", id, n.name.view());
}

const onnx::Attribute* attribute(const Node& node, std::string_view name) {
  for (const onnx::Attribute& a : node.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

}  // namespace ridge::graph
