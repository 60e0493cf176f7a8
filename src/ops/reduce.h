// Reductions: which axes go, and what combining costs.
#pragma once

#include "ops/rule.h"

namespace ridge::ops {

/// Combining n elements into m takes n - m operations; unknown where either is.
Dim combining(Context& c, Dim n, Dim m);

}  // namespace ridge::ops
