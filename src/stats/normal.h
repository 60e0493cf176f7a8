// The standard normal distribution and Student's, as intervals need them.
#pragma once

namespace ridge::stats {

/// P(Z <= z).
double normal_cdf(double z);

/// The z with P(Z <= z) = p, 0 < p < 1; -inf at 0, +inf at 1. Wichura's AS 241 (Applied Statistics
/// 37, 1988, PPND16), relative error about 1e-16.
double normal_quantile(double p);

/// The t with P(T <= t) = p for Student's T of `freedom` degrees, 0 < p < 1. Expansion around the
/// normal quantile (Abramowitz and Stegun, 26.7.5): off by less than 1e-4 for p in [0.005, 0.995]
/// from 10 degrees on; meant for no fewer.
double student_quantile(double p, double freedom);

}  // namespace ridge::stats
