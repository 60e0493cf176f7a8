// What profiling adds to a run, and how much of it lies in each layer.
//
// An event's own cost is measured on other graphs (calibrate.h). In a model it costs more, because
// layers push the profiler's code and data out of the caches, and by how much depends on the model:
// five times as much was seen between large matrix products. So the excess of a profiled run over
// the plain run beside it is measured too, and every run is corrected with the excess of *other*
// runs: those of the other processes, or of every other pair where one process is all there is.
//
//   D      = median of (profiled - plain) over the pairs of the other folds     of either sign
//   extra  = D - events * wall - fixed                beyond what the chains cost; of either sign
//   spread = extra, from -1 to kDearest - 1 times events * wall
//   gaps   = outside - events * (wall - inside) - fixed - spread * (1 - inside / wall)
//                                                     (not below 0; fixed not below 0)
//   layers = profiled - D - gaps                      what the layers of this run took together
//   factor = layers / sum over kernels of max(0, reported - executions * inside)
//
// D may lie below 0: a runtime whose profiling is chosen when a model is compiled runs two copies
// of it, and the one that is profiled may lie better in memory, by a few per cent either way.
// Cutting at 0 would keep the bad luck and drop the good. No event costs less than nothing, and
// none was seen to cost more than kDearest times what it costs in the chains: what lies beyond is
// such a difference between copies, and belongs to the layers.
//
// where outside = profiled - sum of reported. A kernel took (reported - executions * inside) *
// factor: an event's cost is the same for every kernel, what lies beyond it is spread by time.
//
// So corrected layers and gaps come to profiled - D by construction, whatever the events report.
// Whether they report what the layers take is for self_check.h to find out.
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

/// An event's cost in a model, at most, in units of its cost in the chains.
inline constexpr double kDearest = 6;

struct Correction {
  double factor = 1;   ///< of every kernel's (reported - executions * inside)
  double gaps_ns = 0;  ///< between layers
};

/// [process][pair], as `processes`.
std::vector<std::vector<Correction>> correct(const std::vector<std::vector<PairTimes>>& processes,
                                             const EventCost& cost);

}  // namespace ridge::measure
