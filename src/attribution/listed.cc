// SPDX-License-Identifier: Apache-2.0
#include "attribution/listed.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/checked.h"

namespace ridge::attribution {
namespace {

constexpr std::string_view kDomain = "runtime";

std::optional<std::int64_t> elements(const ListedTensor& tensor) {
  std::optional<std::int64_t> product = 1;
  for (const std::int64_t d : tensor.dims)
    product = product && d >= 0 ? checked_mul(*product, d) : std::nullopt;
  return product;
}

class Writer {
 public:
  Writer(std::span<const ListedLayer> layers, std::span<const ListedTensor> tensors,
         std::span<const std::string> inputs)
      : layers_(layers) {
    for (const ListedTensor& t : tensors) tensor_.emplace(t.name, &t);
    inputs_.insert(inputs.begin(), inputs.end());
    for (const ListedLayer& l : layers) {
      made_.insert(l.outputs.begin(), l.outputs.end());
      read_.insert(l.inputs.begin(), l.inputs.end());
    }
  }

  std::shared_ptr<onnx::Document> document() {
    auto document = std::make_shared<onnx::Document>();
    document_ = document.get();
    Arena& arena = document_->arena;
    onnx::Graph& graph = document_->model.graph;
    document_->path = "the runtime's layers";
    document_->model.ir_version = 8;
    document_->model.opsets = arena.copy(std::vector<onnx::OperatorSet>{
        {.domain = "", .version = 17}, {.domain = kDomain, .version = 1}});
    graph.name = "layers";
    const auto nodes = arena.array<onnx::Node>(layers_.size());
    for (std::size_t i = 0; i < layers_.size(); ++i) nodes[i] = node(layers_[i]);
    graph.nodes = nodes;
    graph.inputs = arena.copy(graph_inputs_);
    graph.initializers = arena.copy(constants_);
    std::vector<onnx::ValueInfo> outputs;
    for (const ListedLayer& l : layers_)
      for (const std::string& name : l.outputs)
        if (!read_.contains(name)) outputs.push_back({.name = arena.copy(name), .type = {}});
    graph.outputs = arena.copy(outputs);
    return document;
  }

  /// Returns nullptr if the runtime does not describe the tensor.
  const ListedTensor* tensor(std::string_view name) const {
    const auto at = tensor_.find(name);
    return at == tensor_.end() ? nullptr : at->second;
  }

 private:
  onnx::Node node(const ListedLayer& layer) {
    Arena& arena = document_->arena;
    onnx::Node n;
    n.name = arena.copy(layer.name);
    n.op_type = arena.copy(layer.type);
    n.domain = kDomain;
    std::vector<Text> inputs, outputs;
    for (const std::string& name : layer.inputs) inputs.push_back(source(name));
    for (const std::string& name : layer.outputs) outputs.push_back(arena.copy(name));
    n.inputs = arena.copy(inputs);
    n.outputs = arena.copy(outputs);
    return n;
  }

  /// Returns the name of a tensor that is read; declares the tensor if no layer produces it.
  std::string_view source(const std::string& name) {
    const std::string_view text = document_->arena.copy(name);
    if (made_.contains(name) || !declared_.insert(name).second) return text;
    const ListedTensor* known = tensor(name);
    if (inputs_.contains(name)) {
      graph_inputs_.push_back({.name = text, .type = {}});
      return text;
    }
    onnx::Tensor constant{.name = text};
    if (known != nullptr && std::ranges::all_of(known->dims, [](auto d) { return d >= 0; })) {
      constant.type = known->type;
      constant.dims = document_->arena.copy(known->dims);
      constant.elements = elements(*known).value_or(0);
    }
    constants_.push_back(constant);
    return text;
  }

  std::span<const ListedLayer> layers_;
  std::unordered_map<std::string_view, const ListedTensor*> tensor_;
  std::unordered_set<std::string> inputs_, made_, read_, declared_;
  std::vector<onnx::ValueInfo> graph_inputs_;
  std::vector<onnx::Tensor> constants_;
  onnx::Document* document_ = nullptr;
};

}  // namespace

Result<OptimizedGraph> make_listed(std::span<const ListedLayer> layers,
                                   std::span<const ListedTensor> tensors,
                                   std::span<const std::string> inputs) {
  Writer writer(layers, tensors, inputs);
  OptimizedGraph graph = TRY(make_optimized(writer.document()));
  // kernels are in the order of the layers
  for (const ListedLayer& l : layers) graph.listed.push_back(l.listing);
  graph.elements.resize(graph.bytes.size());
  for (graph::ValueId v = 0; v < graph.bytes.size(); ++v) {
    const ListedTensor* tensor = writer.tensor(graph.model->value(v).name);
    if (tensor == nullptr) continue;
    graph.elements[v] = elements(*tensor);
    if (graph.elements[v]) graph.bytes[v] = onnx::storage_bytes(tensor->type, *graph.elements[v]);
  }
  return graph;
}

}  // namespace ridge::attribution
