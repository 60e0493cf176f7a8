// SPDX-License-Identifier: Apache-2.0
// Classification of values as constants and weights, and the tensor of the file behind each weight.
//
// Constant: a tensor of the file, or computed from constants alone by a deterministic operator.
// Weight: a constant of floating-point or quantized type with more than one element, also through
// Identity, Reshape, Transpose, Cast and DequantizeLinear. The outputs of Constant, and of
// ConstantOfShape with constant shape, are tensors of their own. An int32 tensor is a
// weight if it is a quantized bias: the input of a DequantizeLinear, the bias of a QLinearConv or
// QGemm.
// Cost: O(nodes + values).
#pragma once

#include <vector>

#include "analysis/resolved.h"
#include "graph/model.h"

namespace ridge::analysis {

struct Provenance {
  std::vector<bool> constant;  ///< by ValueId
  std::vector<bool> weight;    ///< by ValueId
  /// By ValueId: original tensor of a constant, before reshapes and casts; kNone if there is none.
  std::vector<graph::ValueId> root;
};

/// `types`: by ValueId, as inferred.
Provenance trace_weights(const graph::Model& model, const std::vector<ops::Type>& types);

/// True if the node only passes its first input on (operators listed above); parameters are then
/// counted at the readers of its output.
bool passes_weight(const graph::NodeKind& node);

}  // namespace ridge::analysis
