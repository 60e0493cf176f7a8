// The figures of one row: its layers' times in every run, and each run against the first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compare/comparison.h"

namespace ridge::compare {

/// Times of single runs in blocks (processes), or a sum of medians where there are none.
struct Times {
  std::optional<double> median_ns;
  std::vector<std::vector<double>> blocks;  ///< empty: no single runs
  std::size_t layers = 0;
  bool below_resolution = false;
};

/// In which of two measured runs layer times are as reported, with the profiler's cost in them.
/// Layers are judged where they are in both or in neither.
enum class LayerTimes : std::uint8_t { kAlike, kFirstReported, kSecondReported, kBothReported };
LayerTimes layer_times_of(const Run& first, const Run& second);

/// Of those layers of a run. No layers: 0 in every run.
Times times_of(const profile::Profile& profile, std::span<const std::uint32_t> layers);
/// Of whole unprofiled runs.
Times latency_of(const profile::Profile& profile);

/// Cells of one row, `times` by run; nullopt where the run's model has none of the nodes. There are
/// no verdicts, and no intervals of ratio and difference, until judge() has seen the whole table.
std::vector<Cell> cells_of(std::span<const Run> runs,
                           const std::vector<std::optional<Times>>& times,
                           const CompareOptions& options);

/// Decides intervals and verdicts of a table, column by column. `threshold`: as CompareOptions.
void judge(std::span<Row> rows, double threshold);

}  // namespace ridge::compare
