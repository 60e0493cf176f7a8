// SPDX-License-Identifier: Apache-2.0
// Times of single runs from running means.
//
// Some runtimes report for a layer only the mean over all its executions, truncated to whole
// microseconds (OpenVINO: floor(T(n) / n) after n executions, T(n) the sum of their times). So
// after n executions T(n) lies between n * mean and n * mean + n - 1. Among the courses of T that
// agree with every reading the shortest is taken (the taut string of Davies and Kovac 2001, "Local
// extremes, runs, strings and multiresolution", Annals of Statistics 29(1), section 1.3): where
// readings determine T, as for long layers, each run has its own time; where they do not, runs have
// their average. Half a microsecond is added to an execution whose layer took any time, because
// OpenVINO truncates each execution's time too.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/measurement.h"

namespace ridge::runtime {

/// The mean was `mean_us` after `executions` executions.
struct MeanReading {
  std::int64_t executions = 0;
  std::int64_t mean_us = 0;
};

/// Returns T at each reading, in microseconds; it never decreases. Readings must be in ascending
/// order of executions, without duplicates. Cost: quadratic in the readings at worst.
std::vector<double> totals_of(const std::vector<MeanReading>& readings);

/// Replaces means by times of single runs, in every event that has a mean.
void resolve_means(Measurement& measurement);

}  // namespace ridge::runtime
