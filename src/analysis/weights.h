// Which values are constants, which of them are weights, and which tensor of the file a weight is.
//
// Constant: a tensor of the file, or computed from such alone, by an operator that gives the same
// answer each time.
// Weight: a constant of floating or quantised type with more than one element, also seen through
// Identity, Reshape, Transpose, Cast and DequantizeLinear; a ConstantOfShape of constant shape and
// a Constant are tensors of their own. The int32 input of a DequantizeLinear is a quantised bias,
// hence a weight.
// Cost: O(nodes + values).
#pragma once

#include <vector>

#include "analysis/resolved.h"
#include "graph/model.h"

namespace ridge::analysis {

struct Provenance {
  std::vector<bool> constant;  ///< by ValueId
  std::vector<bool> weight;    ///< by ValueId
  /// by ValueId: the tensor that a constant was before it was reshaped or cast; kNone where it is
  /// none
  std::vector<graph::ValueId> root;
};

/// `types`: by ValueId, as resolved.
Provenance trace_weights(const graph::Model& model, const std::vector<ops::Type>& types);

/// The node only hands its first input on (the operators named above): reading a weight is left to
/// whoever reads its output.
bool passes_weight(const graph::NodeKind& node);

}  // namespace ridge::analysis
