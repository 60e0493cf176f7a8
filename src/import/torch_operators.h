// SPDX-License-Identifier: Apache-2.0
// Mapping from PyTorch operators to the ONNX nodes they are exported as (table in
// torch_operators.cc).
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
  std::string_view name;    ///< without "aten::" and without the trailing '_' of in-place operators
  std::string_view anchor;  ///< node type it is exported as, or the identifying node of its chain
  /// Chain around the anchor: types of the nodes before and after it, nearest first, separated by
  /// spaces. "Add!": one input is constant; "Add?": optional; "Div|Mul": either.
  std::string_view before = {}, after = {};
  std::int8_t products = 0;  ///< number of matrix products in it

  bool chain() const { return !before.empty() || !after.empty(); }
};

/// Returns all rows of an operator by its name in a trace; empty if the table lacks it.
std::span<const TorchOperator> torch_rows(std::string_view name);

/// True for operators and device spans that copy tensors (between host and device), convert or make
/// them, as a program does around a model: aten::to, aten::randn, "Memcpy HtoD (Pageable -> ...)".
bool copies_data(std::string_view name);

/// Range name written by emit_nvtx, "[aten::]conv2d, seq = 3, op_id = 12, sizes = [[1, 3, 8, 8]]",
/// split into the operator's name and `sizes`, the shapes ("" if there are none).
struct RangeName {
  std::string_view name, sizes;
  /// True for operators: the text has such a suffix or begins with "aten::".
  bool operation = false;
};
RangeName range_name(std::string_view text);

/// Normalizes a module's path: "layer1.0.conv1" from "layer1/layer1.0/conv1", the form of
/// exporters' scopes, and from "TOP(ResNet)::forward.layer1(Sequential)::forward...", the form in
/// which the profiler writes modules of TorchScript. "" if the text names none.
std::string module_path(std::string_view text);

}  // namespace ridge::imports
