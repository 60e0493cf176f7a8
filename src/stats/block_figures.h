// SPDX-License-Identifier: Apache-2.0
// Trimmed mean and quantile of times recorded in blocks (the processes of a measurement), with
// intervals that allow for correlation of neighboring values and for differences between blocks, as
// block_median.h has them for medians.
//
//   const Estimate mean = block_trimmed_mean(times_of_each_process);
//   const Estimate p90 = block_quantile(times_of_each_process, 0.9);
//
// Each interval is the hull of several:
// - trimmed mean: value -+ t x s / ((1 - 2 cut) sqrt(n)), s the deviation of the values with the
//   trimmed ones moved to the nearest that is kept (Tukey and McLaughlin 1963, Sankhya A 25:331);
//   the same from means of 2, 4, ... consecutive such values, as long as there are sixteen
//   (Heidelberger and Lewis 1984, Operations Research 32:185); the widest counts;
// - quantile: between two order statistics (samples.h, quantile_interval), and between the values
//   at ranks q -+ h, h from means of consecutive values' sides, as for the median (Woodruff 1952);
// - both, with two blocks or more: the mean of the blocks' own figures -+ t x its standard error,
//   on logarithms where all figures are above 0.
//
// Values must be finite; empty blocks are ignored. Without values the figure is NaN. No interval
// for fewer than six values, or where quantile_interval() has none. Thread rule: pure. Cost:
// O(n log n).
#pragma once

#include <span>
#include <vector>

#include "stats/estimate.h"

namespace ridge::stats {

/// Mean without the floor(n x cut) lowest and highest values.
double trimmed_mean(std::span<const double> values, double cut = 0.2);

/// 0 <= cut < 0.5.
Estimate block_trimmed_mean(std::span<const std::vector<double>> blocks, double cut = 0.2,
                            double confidence = 0.95);

/// The order statistic of rank ceil(n q), 0 < q < 1.
Estimate block_quantile(std::span<const std::vector<double>> blocks, double q,
                        double confidence = 0.95);

}  // namespace ridge::stats
