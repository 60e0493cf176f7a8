// SPDX-License-Identifier: Apache-2.0
// Cost of reductions.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// Combining n elements into m takes n - m operations; unknown if either is unknown.
Dim combining(Context& c, Dim n, Dim m);

}  // namespace ridge::ops
