// SPDX-License-Identifier: Apache-2.0
#include "bricks/ballast.h"

#include <algorithm>
#include <string>
#include <vector>

#include "measure/calibrate.h"
#include "onnx/document.h"
#include "onnx/writer.h"

namespace ridge::bricks {
namespace {

/// Length of a row, so that a runtime does not see one endless vector.
constexpr std::int64_t kRow = 1024;

std::vector<std::int64_t> shape_of(std::int64_t bytes) {
  const std::int64_t elements = std::max<std::int64_t>(1, bytes / std::int64_t{sizeof(float)});
  return {std::max<std::int64_t>(1, elements / kRow), std::min(elements, kRow)};
}

/// Input x of float32, as many as fit into `bytes`, but at least one; output y.
Result<std::string> ballast_model(std::int64_t bytes) {
  onnx::Document document;
  Arena& arena = document.arena;
  const auto port = [&](std::string_view name, const std::vector<std::int64_t>& shape) {
    onnx::ValueInfo v{.name = name, .type = {}};
    v.type.kind = onnx::TypeKind::kTensor;
    v.type.elem_type = onnx::DataType::kFloat;
    v.type.has_shape = true;
    std::vector<onnx::Dimension> dims;
    for (const std::int64_t d : shape) dims.push_back({.value = d, .param = {}});
    v.type.shape = arena.copy(dims);
    return arena.copy(std::vector<onnx::ValueInfo>{v});
  };
  onnx::Node node;
  node.name = "maximum";
  node.op_type = "ReduceMax";
  node.inputs = arena.copy(std::vector<Text>{"x"});
  node.outputs = arena.copy(std::vector<Text>{"y"});
  document.model.ir_version = 8;
  document.model.opsets = arena.copy(std::vector<onnx::OperatorSet>{{.domain = "", .version = 17}});
  document.model.graph.name = "ballast";
  document.model.graph.nodes = arena.copy(std::vector<onnx::Node>{node});
  document.model.graph.inputs = port("x", shape_of(bytes));
  document.model.graph.outputs = port("y", {1, 1});
  return onnx::write_bytes(document);
}

}  // namespace

Result<runtime::SessionId> load_ballast(runtime::Runtime& runtime, std::int64_t bytes) {
  return measure::load_with_input(runtime, TRY(ballast_model(bytes)), shape_of(bytes));
}

}  // namespace ridge::bricks
