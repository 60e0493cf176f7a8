// SPDX-License-Identifier: Apache-2.0
#include "runtime/openvino/backend/model.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <openvino/op/constant.hpp>

#include "onnx/reader.h"
#include "onnx/writer.h"
#include "runtime/openvino/backend/element_types.h"
#include "runtime/sized.h"

namespace ridge::openvino {
namespace {

using Weights = std::unordered_map<std::string_view, RidgeTensor>;

bool may_become_input(onnx::DataType type) {
  switch (type) {
    case onnx::DataType::kFloat:
    case onnx::DataType::kDouble:
    case onnx::DataType::kFloat16:
    case onnx::DataType::kBfloat16:
    case onnx::DataType::kInt8:
    case onnx::DataType::kUint8:
      return true;
    default:
      return false;
  }
}

onnx::ValueInfo input_of(onnx::Document& document, const onnx::Tensor& tensor) {
  std::vector<onnx::Dimension> dims;
  for (const std::int64_t d : tensor.dims) dims.push_back({.value = d, .param = {}});
  onnx::ValueInfo input{.name = tensor.name, .type = {}};
  input.type.kind = onnx::TypeKind::kTensor;
  input.type.elem_type = tensor.type;
  input.type.has_shape = true;
  input.type.shape = document.arena.copy(dims);
  return input;
}

/// Rewrites the document; returns the names of the weights that became inputs.
Result<std::vector<std::string_view>> take_in(onnx::Document& document, const Weights& weights) {
  onnx::Graph& graph = document.model.graph;
  std::vector<onnx::Tensor> kept;
  std::vector<onnx::ValueInfo> inputs(graph.inputs.begin(), graph.inputs.end()), made;
  std::vector<std::string_view> moved;
  for (onnx::Tensor tensor : graph.initializers) {
    const auto weight = weights.find(tensor.name);
    if (!tensor.external || weight == weights.end()) {
      kept.push_back(tensor);
      continue;
    }
    if (may_become_input(tensor.type)) {
      made.push_back(input_of(document, tensor));
      moved.push_back(tensor.name);
      continue;
    }
    tensor.storage = onnx::Storage::kInline;
    tensor.external = false;
    tensor.bytes = {static_cast<const std::byte*>(weight->second.data), weight->second.bytes};
    kept.push_back(tensor);
  }
  // Old files also list their initializers among the inputs.
  const std::unordered_set<std::string_view> names(moved.begin(), moved.end());
  std::erase_if(inputs, [&](const onnx::ValueInfo& v) { return names.contains(v.name); });
  inputs.insert(inputs.end(), made.begin(), made.end());
  graph.initializers = document.arena.copy(kept);
  graph.inputs = document.arena.copy(inputs);
  return moved;
}

ov::Tensor tensor_over(const RidgeTensor& weight) {
  const auto type = to_openvino(static_cast<onnx::DataType>(weight.type));
  ov::Shape shape;
  for (std::uint32_t i = 0; i < weight.rank; ++i)
    shape.push_back(static_cast<std::size_t>(weight.dims[i]));
  return {type.value(), shape, const_cast<void*>(weight.data)};
}

/// Replaces the parameters that represent weights by constants over their memory.
void make_constants(ov::Model& model, const std::vector<std::string_view>& moved,
                    const Weights& weights) {
  const std::unordered_set<std::string_view> names(moved.begin(), moved.end());
  // In reverse, because these parameters are at the end and removing one shifts those behind it.
  const ov::ParameterVector parameters = model.get_parameters();
  for (auto at = parameters.rbegin(); at != parameters.rend(); ++at) {
    const std::string& name = (*at)->get_friendly_name();
    if (!names.contains(name)) continue;
    const auto constant = std::make_shared<ov::op::v0::Constant>(tensor_over(weights.at(name)));
    constant->set_friendly_name(name);
    (*at)->output(0).replace(constant->output(0));
    model.remove_parameter(*at);
  }
}

}  // namespace

Result<std::shared_ptr<ov::Model>> read_model(ov::Core& core, std::string_view onnx,
                                              const RidgeTensors& weights) {
  Weights by_name;
  for (std::uint64_t i = 0; i < weights.count; ++i) {
    const RidgeTensor weight = runtime::row(weights.items, weights.stride, i);
    by_name.emplace(weight.name, weight);
  }
  onnx::Document document = TRY(onnx::read_bytes(onnx, "the model"));
  const std::vector<std::string_view> moved = TRY(take_in(document, by_name));
  const std::string bytes = TRY(onnx::write_bytes(document));
  return guarded(Phase::kLoad, [&]() -> Result<std::shared_ptr<ov::Model>> {
    std::shared_ptr<ov::Model> model = core.read_model(bytes, ov::Tensor());
    make_constants(*model, moved, by_name);
    model->validate_nodes_and_infer_types();
    return model;
  });
}

}  // namespace ridge::openvino
