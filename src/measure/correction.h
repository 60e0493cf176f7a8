// What profiling adds to a run, and how much of it lies in each layer.
//
// An event's own cost is measured on other graphs (calibrate.h). In a model it costs more, because
// layers push the profiler's code and data out of the caches, and by how much depends on the model:
// five times as much was seen between large matrix products. So the excess of a profiled run over
// the plain run beside it is measured too, and every run is corrected with the excess of *other*
// runs: those of the other processes, or of every other pair where one process is all there is.
// Nothing is fitted to the latency that the result is judged by.
//
//   D      = median of (profiled - plain) over the pairs of the other folds     of either sign
//   extra  = D - events * wall - fixed                beyond what the chains cost; of either sign
//   gaps   = outside - events * (wall - inside) - fixed - extra * (1 - inside / wall)
//                                                     (not below 0; fixed not below 0)
//   layers = profiled - D - gaps                      what the layers of this run took together
//   factor = layers / sum over kernels of max(0, reported - executions * inside)
//
// D may lie below 0: a runtime whose profiling is chosen when a model is compiled runs two copies
// of it, and the one that is profiled may lie better in memory, by a few per cent either way.
// Cutting at 0 would keep the bad luck and drop the good.
//
// where outside = profiled - sum of reported. A kernel took (reported - executions * inside) *
// factor: an event's cost is the same for every kernel, what lies beyond it is spread by time.
#pragma once

#include <vector>

#include "measure/runs.h"

namespace ridge::measure {

/// A plain and a profiled run, back to back.
struct PairTimes {
  double plain_ns = 0, profiled_ns = 0;
  double reported_ns = 0;  ///< sum over the events
  double body_ns = 0;      ///< the same less executions * inside, no kernel below 0
  double events = 0;
};

struct Correction {
  double factor = 1;   ///< of every kernel's (reported - executions * inside)
  double gaps_ns = 0;  ///< between layers
};

/// [process][pair], as `processes`.
std::vector<std::vector<Correction>> correct(const std::vector<std::vector<PairTimes>>& processes,
                                             const EventCost& cost);

}  // namespace ridge::measure
