// What PyTorch's operators become in an exported model: the table of torch_operators.cc.
//
//   for (const TorchOperator& row : torch_rows("aten::linear")) ...   // Gemm; MatMul and an Add
//
// Exporters write one node for most operators and a known chain of nodes for others (torch.onnx,
// symbolic_opset9.py to symbolic_opset20.py of PyTorch 2.4). Thread rule: constant data. Cost: a
// binary search.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ridge::imports {

struct TorchOperator {
  std::string_view name;    ///< without "aten::" and the '_' of the operator that works in place
  std::string_view anchor;  ///< the type of node that it becomes, or that stands for its chain
  /// The chain around the anchor: types of the nodes before and after it, nearest first, separated
  /// by spaces. "Add!": its other input is a constant; "Add?": may be missing; "Div|Mul": either.
  std::string_view before = {}, after = {};
  std::int8_t products = 0;  ///< multiplications of matrices in it

  bool chain() const { return !before.empty() || !after.empty(); }
};

/// All rows of an operator by its name in a trace; none where the table does not have it.
std::span<const TorchOperator> torch_rows(std::string_view name);

/// "[aten::]conv2d, seq = 3, op_id = 12, sizes = [[1, 3, 8, 8]]", as emit_nvtx names its ranges,
/// without what follows the name; `sizes`: the shapes, "" where there are none.
struct RangeName {
  std::string_view name, sizes;
  bool operation = false;  ///< something was there: the range is an operator
};
RangeName range_name(std::string_view text);

/// A module's path in one form: "layer1.0.conv1" of "layer1/layer1.0/conv1", as exporters name
/// scopes, and of "TOP(ResNet)::forward.layer1(Sequential)::forward...", as the profiler writes the
/// modules of TorchScript. "" of what is none.
std::string module_path(std::string_view text);

}  // namespace ridge::imports
