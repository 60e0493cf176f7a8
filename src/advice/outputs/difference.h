// SPDX-License-Identifier: Apache-2.0
// How far the outputs of two models are apart, for every type of elements.
//
//   OutputsApart apart = outputs_apart(of_model, of_copy);
//   apart.outputs[0].max_rel
//
// Floats of any width are compared as numbers: the greatest difference, relative to the largest
// finite element of the output. Equal infinities and two NaN are no difference; a number and a NaN
// differ without bound. All other elements are equal or not: the difference is the share of those
// that are not. A type or a shape that differs is a difference without bound. Thread rule: pure.
// Cost: O(elements).
#pragma once

#include <string>
#include <vector>

#include "runtime/types.h"

namespace ridge::advice {

/// Outputs farther apart than this part of their largest element are not the same up to rounding;
/// of 16-bit floats, twice their precision.
inline constexpr double kMaxDifference = 1e-4;

struct OutputApart {
  std::string name;
  double max_abs = 0, max_rel = 0;
  double rounding = 0;  ///< relative difference that rounding explains in this type
};

struct OutputsApart {
  std::vector<OutputApart> outputs;       ///< common outputs
  std::vector<std::string> without_data;  ///< text, sequences: the runtime gives no elements
};

/// Matches outputs by name.
OutputsApart outputs_apart(const runtime::Outputs& before, const runtime::Outputs& after);

}  // namespace ridge::advice
