// SPDX-License-Identifier: Apache-2.0
// Standard normal and Student's t distribution, as needed for intervals.
#pragma once

namespace ridge::stats {

/// Returns the z with P(Z <= z) = p, 0 < p < 1; -inf at 0, +inf at 1. Wichura's AS 241 (Applied
/// Statistics 37, 1988, PPND16), relative error about 1e-16.
double normal_quantile(double p);

/// Returns the t with P(T <= t) = p for Student's T with `freedom` degrees of freedom, at least 1;
/// 0 < p < 1. Hill's Algorithm 396 (CACM 13, 1970, 619): exact for 1 and 2 degrees, above that
/// relative error below 1e-5.
double student_quantile(double p, double freedom);

}  // namespace ridge::stats
