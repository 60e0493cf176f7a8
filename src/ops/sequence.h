// What the operators on sequences share, and the resolver where a sequence leaves a body.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// What two members have in common; a sequence without members takes what the other has.
Shape common_shape(Context& c, const Shape& a, const Shape& b);
/// Sets output 0 to the sequence of `members`.
void set_sequence(Context& c, DataType dtype, Members members);

}  // namespace ridge::ops
