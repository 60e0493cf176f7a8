// SPDX-License-Identifier: Apache-2.0
// Coverage of a known truth (synthetic.h) by the intervals of a corrected profile.
#pragma once

#include <numeric>
#include <vector>

#include "measure/replicates.h"
#include "measure/testing/synthetic.h"

namespace ridge::measure::testing {

/// Number of intervals, how many of them cover the truth, and their widths as a share of it.
struct Coverage {
  int intervals = 0, cover = 0;
  std::vector<double> widths, errors;

  void add(const stats::Estimate& e, double truth) {
    ++intervals;
    cover += e.low() <= truth && truth <= e.high() ? 1 : 0;
    widths.push_back((e.high() - e.low()) / truth);
    errors.push_back(e.value / truth - 1);
  }
  double share() const { return static_cast<double>(cover) / intervals; }
};

struct Coverages {
  std::vector<Coverage> each_layer;
  Coverage layers, event_cost, fixed_cost, total, predicted;
  Coverage latency, profiled_latency, reported;  ///< reported: layers as reported by the profiler
  Coverage deeper_event_cost, deeper_fixed_cost, deepest;  ///< for levels below the layers
};

inline Coverages coverages(const stats::testing::Noise& noise, int experiments,
                           const Machine& machine = {}) {
  Coverages out;
  out.each_layer.resize(machine.layers.size());
  constexpr Host kHost{.processors = 2, .threads = 1};
  for (int i = 0; i < experiments; ++i) {
    const std::size_t at =
        noise.size() / static_cast<std::size_t>(experiments) * static_cast<std::size_t>(i);
    const Synthetic s = synthetic(noise, at, static_cast<std::uint64_t>(i) + 1, machine);
    const Estimates e = estimate(s.processes, machine.layers.size(), s.cost, kHost);
    const Replicates replicates(e);
    for (std::uint32_t k = 0; k < machine.layers.size(); ++k) {
      const auto layer = replicates.corrected({k}, stats::median(corrected(e, {k})));
      out.layers.add(layer, s.truth.layers_ns[k]);
      out.each_layer[k].add(layer, s.truth.layers_ns[k]);
      out.reported.add(time_of(e, {k}), s.truth.layers_ns[k] + machine.inside_ns);
    }
    const profile::Profiling& p = e.profiling;
    out.latency.add(e.latency.ns, s.truth.run_ns);
    out.profiled_latency.add(p.profiled_latency_ns, s.truth.profiled_ns);
    out.event_cost.add(*p.event_cost, machine.wall_ns);
    out.fixed_cost.add(*p.fixed_cost, machine.fixed_ns);
    out.total.add(replicates.total(e.total_ns), s.truth.run_ns);
    out.predicted.add(replicates.predicted_profiled(e.predicted_profiled_ns), s.truth.profiled_ns);
    for (std::size_t level = 0; level < e.deeper_costs.size(); ++level) {
      const EventCost& cost = e.deeper_costs[level].cost;
      out.deeper_event_cost.add(event_interval(cost), machine.deeper[level].wall_ns);
      out.deeper_fixed_cost.add(fixed_interval(cost), machine.deeper[level].fixed_ns);
    }
    out.deepest.add(replicates.predicted_deepest(), s.truth.deepest_ns);
  }
  return out;
}

}  // namespace ridge::measure::testing
