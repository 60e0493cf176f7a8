// SPDX-License-Identifier: Apache-2.0
#include "measure/correction.h"

#include <algorithm>

#include "stats/samples.h"

namespace ridge::measure {
namespace {

using PairedProcesses = std::vector<std::vector<PairTimes>>;

/// Grouping of pairs that are corrected together: by process, or by parity for a single process.
class Folds {
 public:
  explicit Folds(const PairedProcesses& processes) : lone_(processes.size() == 1) {}
  std::size_t of(std::size_t process, std::size_t pair) const { return lone_ ? pair % 2 : process; }
  std::size_t count(std::size_t processes) const { return lone_ ? 2 : processes; }

 private:
  bool lone_;
};

/// For each fold, the median excess of profiled over plain runs in all other folds.
std::vector<double> excess_of_others(const PairedProcesses& processes, const Folds& folds) {
  std::vector<double> out(folds.count(processes.size()), 0);
  for (std::size_t fold = 0; fold < out.size(); ++fold) {
    std::vector<double> differences;
    for (std::size_t p = 0; p < processes.size(); ++p)
      for (std::size_t i = 0; i < processes[p].size(); ++i)
        if (folds.of(p, i) != fold)
          differences.push_back(processes[p][i].profiled_ns - processes[p][i].plain_ns);
    if (!differences.empty()) out[fold] = stats::median(differences);
  }
  return out;
}

// Example (correction_test.cc): wall 10, inside 4, fixed 0; a run of 3 events with profiled 380,
// reported 312, body 300; the other processes have an excess of D = 60. The events explain 30, so
// spread = 60 - 30 = 30, within [-30, 150]. outside = 380 - 312 = 68, gaps = 68 - 3 * 6 - 30 * 0.6
// = 32, layers = 380 - 60 - 32 = 288, factor = 288 / 300 = 0.96. Layers and gaps add up to 320 =
// 380 - 60.
Correction correct_layer(const PairTimes& pair, double excess_ns, const EventCost& cost) {
  const double inside_share = cost.wall_ns > 0 ? cost.inside_ns / cost.wall_ns : 0;
  const double fixed = std::max(0.0, cost.fixed_ns);  // profiling never shortens a run
  const double events = pair.events * cost.wall_ns;
  const double spread = std::clamp(excess_ns - events - fixed, -events, (kDearest - 1) * events);
  const double outside = pair.profiled_ns - pair.reported_ns;
  Correction c;
  c.gaps_ns = std::max(0.0, outside - pair.events * (cost.wall_ns - cost.inside_ns) - fixed -
                                spread * (1 - inside_share));
  const double layers = std::max(0.0, pair.profiled_ns - excess_ns - c.gaps_ns);
  if (pair.body_ns > 0) c.factor = layers / pair.body_ns;
  return c;
}

}  // namespace

std::vector<std::vector<Correction>> correct(const PairedProcesses& processes,
                                             const EventCost& cost) {
  const Folds folds(processes);
  const std::vector<double> excess = excess_of_others(processes, folds);
  std::vector<std::vector<Correction>> out(processes.size());
  for (std::size_t p = 0; p < processes.size(); ++p)
    for (std::size_t i = 0; i < processes[p].size(); ++i)
      out[p].push_back(correct_layer(processes[p][i], excess[folds.of(p, i)], cost));
  return out;
}

}  // namespace ridge::measure
