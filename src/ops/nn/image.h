// SPDX-License-Identifier: Apache-2.0
// Cost of interpolation, for all operators that sample between positions.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// FLOPs of one interpolated sample over `axes` axes of `points` points each: v = points^axes
/// multiplies and v - 1 adds.
inline Dim sample_flops(Context& c, std::size_t axes, std::int64_t points) {
  Dim values(1);
  for (std::size_t i = 0; i < axes; ++i) values = c.dims().mul(values, Dim(points));
  return c.dims().sub(c.dims().mul(values, Dim(2)), Dim(1));
}

}  // namespace ridge::ops
