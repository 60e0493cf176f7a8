// SPDX-License-Identifier: Apache-2.0
// Helpers for sequences, shared by their operators and the resolver.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// Shape that two members have in common; an empty sequence adopts the other shape.
Shape common_shape(Context& c, const Shape& a, const Shape& b);
/// Sets output 0 to the sequence of `members`.
void set_sequence(Context& c, DataType dtype, Members members);

}  // namespace ridge::ops
