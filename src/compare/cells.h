// SPDX-License-Identifier: Apache-2.0
// Cells of one row: the times of its layers in every run, and each run relative to the first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compare/rows.h"

namespace ridge::compare {

/// Times of single runs in blocks (processes), or a sum of medians if there are no single runs.
struct Times {
  std::optional<double> median_ns;
  std::vector<std::vector<double>> blocks;  ///< empty: no single runs
  std::size_t layers = 0;
  bool below_resolution = false;
  double resolution_ns = 0;  ///< resolution of the profiler; 0 for whole runs
};

/// Combination of the layer times of two measured runs: as reported (with profiling overhead) or
/// corrected. Layers are compared only if both runs have times of the same kind.
enum class LayerTimes : std::uint8_t { kAlike, kFirstReported, kSecondReported, kBothReported };
LayerTimes layer_times_of(const Run& first, const Run& second);

/// Sums the times of the given layers, run by run. Without layers: 0 in every run.
Times times_of(const profile::Profile& profile, std::span<const std::uint32_t> layers);
/// Times of whole unprofiled runs.
Times latency_of(const profile::Profile& profile);

/// Returns the cells of one row, with `times` by run; nullopt if the run's model has none of the
/// nodes. Verdicts and the intervals of ratio and difference are set by judge(), which needs the
/// whole table.
std::vector<Cell> cells_of(std::span<const Run> runs,
                           const std::vector<std::optional<Times>>& times,
                           const CompareOptions& options);

/// Sets intervals and verdicts of a table, column by column. `threshold`: as in CompareOptions.
void judge(std::span<Row> rows, double threshold);

}  // namespace ridge::compare
