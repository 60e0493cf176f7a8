// Single runs out of running means.
//
// Some runtimes tell of a layer only the mean over all its executions, cut to whole microseconds
// (OpenVINO: floor(T(n) / n) after n executions, T(n) the sum of their times). So after n
// executions T(n) lies between n * mean and n * mean + n - 1. Among the courses of T that agree
// with every reading the shortest is taken (the taut string of Davies and Kovac 2001, "Local
// extremes, runs, strings and multiresolution", Annals of Statistics 29(1), section 1.3): where
// readings pin T down, as of long layers, each run has its own time; where they do not, runs have
// what they took on average. Half a microsecond is added to an execution whose layer took any time,
// because OpenVINO cuts each execution's time, too.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/measurement.h"

namespace ridge::runtime {

/// After `executions` of them the mean was `mean_us`.
struct MeanReading {
  std::int64_t executions = 0;
  std::int64_t mean_us = 0;
};

/// T at each reading, in microseconds. Readings are in order of executions, each once. Never
/// decreasing. Cost: readings squared at worst.
std::vector<double> totals_of(const std::vector<MeanReading>& readings);

/// Replaces means by times of single runs, in every event that has one.
void resolve_means(Measurement& measurement);

}  // namespace ridge::runtime
