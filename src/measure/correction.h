// SPDX-License-Identifier: Apache-2.0
// Overhead of profiling in a run, and how much of it lies in each layer.
//
// An event's own cost is measured on other graphs (calibrate.h). It is higher in a model, because
// layers evict the profiler's code and data from the caches, and the factor depends on the model:
// between large matrix products it was five. Therefore the excess of a profiled run over the
// adjacent plain run is measured too, and every run is corrected with the excess of *other* runs:
// the runs of the other processes, or of every other pair if there is only one process.
//
//   D      = median of (profiled - plain) over the pairs of the other folds     of either sign
//   extra  = D - events * wall - fixed          beyond the cost in the chains; of either sign
//   spread = extra, clamped to [-1, kDearest - 1] times events * wall
//   gaps   = outside - events * (wall - inside) - fixed - spread * (1 - inside / wall)
//                                                     (not below 0; fixed not below 0)
//   layers = profiled - D - gaps                      total time of the layers in this run
//   factor = layers / sum over kernels of max(0, reported - executions * inside)
//
// where outside = profiled - sum of reported. The corrected time of a kernel is (reported -
// executions * inside) * factor: an event's cost is the same for every kernel, the rest is
// distributed in proportion to time.
//
// D may be negative: a runtime that enables profiling when it compiles a model runs two copies of
// it, and the profiled copy may have the better memory layout, by a few per cent either way.
// Cutting at 0 would bias the result. An event's total cost cannot be negative, and none was seen
// above kDearest times its cost in the chains: a larger difference is attributed to such a
// difference between copies, so it belongs to the layers.
//
// Corrected layers and gaps add up to profiled - D by construction, whatever the events report.
// self_check.h checks whether they report the layers' true times.
#pragma once

#include <vector>

#include "measure/runs.h"

namespace ridge::measure {

/// Adjacent plain and profiled run.
struct PairTimes {
  double plain_ns = 0, profiled_ns = 0;
  double reported_ns = 0;  ///< sum over the events
  double body_ns = 0;      ///< sum over kernels of max(0, reported - executions * inside)
  double events = 0;
};

/// Upper bound on an event's cost in a model, in units of its cost in the chains.
inline constexpr double kDearest = 6;

struct Correction {
  double factor = 1;   ///< multiplies every kernel's (reported - executions * inside)
  double gaps_ns = 0;  ///< time between layers
};

/// Returns the correction of each pair, indexed [process][pair] like `processes`.
std::vector<std::vector<Correction>> correct(const std::vector<std::vector<PairTimes>>& processes,
                                             const EventCost& cost);

}  // namespace ridge::measure
