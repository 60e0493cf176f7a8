// The standard normal distribution, as the bias-corrected bootstrap needs it.
#pragma once

namespace ridge::stats {

/// P(Z <= z).
double normal_cdf(double z);

/// The z with P(Z <= z) = p, 0 < p < 1; -inf at 0, +inf at 1. Wichura's AS 241 (Applied Statistics
/// 37, 1988, PPND16), relative error about 1e-16.
double normal_quantile(double p);

}  // namespace ridge::stats
