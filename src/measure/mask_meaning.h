// SPDX-License-Identifier: Apache-2.0
// Whether 1 or 0 in a mask lets its place take part.
//
//   kept_side(resolved, attention_mask, 0, 1)     // second: scores of a place with 1 stay
//
// Both elements are followed through Cast, Not, Equal, 1 - m, m * -10000 and the like to where they
// meet the scores: an Add (the greater sum stays), a Where (the side that is not the constant), a
// Mul (the side that is not 0), or an operator with a slot for masks. Thread rule: pure. Cost: the
// readers of the mask and of what is computed from it, at most some hundred.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/resolved.h"

namespace ridge::measure {

struct KeptSide {
  bool second = true;      ///< the second of the two elements lets the place take part
  bool unchanged = false;  ///< the elements reach an Add as they are: the mask is added to scores
};

/// nullopt: the input does not meet scores in a known way.
std::optional<KeptSide> kept_side(const analysis::Resolved& resolved, graph::ValueId mask,
                                  double first, double second);

}  // namespace ridge::measure
