// SPDX-License-Identifier: Apache-2.0
#include "measure/join.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "attribution/boundary.h"
#include "measure/event_cost.h"
#include "measure/process_median.h"
#include "measure/replicates.h"
#include "measure/reported_times.h"
#include "profile/precision.h"
#include "profile/rows.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

using analysis::Resolved;
using profile::Layer;
using profile::Profile;

/// Median gap time of profiled runs, with the profiler's overhead in it.
double reported_gaps(const Estimates& estimates) {
  std::vector<double> gaps;
  for (const auto& process : estimates.pairs)
    for (const PairTimes& pair : process)
      gaps.push_back(std::max(0.0, pair.profiled_ns - pair.reported_ns));
  return gaps.empty() ? 0 : stats::median(gaps);
}

/// True for OpenVINO layers that join or split tensors in place, without a kernel.
bool in_place(const Layer& layer) {
  return (layer.type == "Concatenation" || layer.type == "Split") &&
         layer.implementation.starts_with("unknown");
}

/// Builds layers one by one from kernels that ran.
class Joiner {
 public:
  Joiner(const Measured& m, Profile& p)
      : m_(m),
        replicates_(m.estimates),
        obstacle_(obstacle(replicates_.factor())),
        corrects_(obstacle_.empty()),
        p_(p),
        measured_(m.attribution.kernels.size(), graph::kNone),
        position_(m.collected.kernels.size(), 0),
        layer_(m.collected.kernels.size(), graph::kNone) {
    for (std::uint32_t k = 0; k < m.kernels.size(); ++k)
      if (m.kernels[k] != graph::kNone) measured_[m.kernels[k]] = k;
    for (std::uint32_t i = 0; i < m.collected.order.size(); ++i)
      position_[m.collected.order[i]] = i;
  }

  std::vector<std::uint32_t> run() {
    const std::vector<attribution::LayerTraffic> traffic =
        attribution::boundary_traffic(m_.resolved, m_.optimized, m_.attribution, m_.positions);
    for (std::size_t l = 0; l < traffic.size(); ++l)
      add_layer(m_.attribution.layers[l], traffic[l]);
    for (std::uint32_t k = 0; k < m_.kernels.size(); ++k)
      if (m_.kernels[k] == graph::kNone) add_unknown(k);
    std::stable_sort(p_.layers.begin(), p_.layers.end(),
                     [](const Layer& a, const Layer& b) { return a.order < b.order; });
    std::vector<std::uint32_t> moved(p_.layers.size());
    for (std::uint32_t i = 0; i < p_.layers.size(); ++i) {
      moved[p_.layers[i].index] = i;
      p_.layers[i].index = p_.layers[i].order = i;
    }
    for (std::uint32_t& layer : layer_)
      if (layer != graph::kNone) layer = moved[layer];
    sum_up();
    return std::move(layer_);
  }

 private:
  void add_layer(const attribution::Layer& source, const attribution::LayerTraffic& traffic) {
    std::vector<std::uint32_t> kernels;
    for (const std::uint32_t kernel : source.kernels)
      if (measured_[kernel] != graph::kNone) kernels.push_back(measured_[kernel]);
    if (kernels.empty()) return;  // drop_unexecuted has removed its nodes
    Layer layer = timed(kernels);
    layer.name = source.name;
    layer.type = source.type;
    layer.members = source.members;
    layer.inserted = source.inserted;
    layer.layout = source.layout;
    if (!m_.optimized.listed.empty())
      layer.precision = m_.optimized.listed[source.kernels[0]].precision;
    layer.module = profile::module_of(m_.resolved, layer.members);
    for (const profile::Member& member : layer.members)
      if (member.role == profile::Role::kExecutes)
        profile::add(layer.work, profile::work_of(m_.resolved.counts(member.node)));
    layer.bytes = traffic.bytes();
    layer.output_bytes = traffic.written;
    layer.least = traffic.least;
    if (in_place(layer)) layer.least.bytes = layer.least.line_bytes = layer.least.streamed = 0;
    append(std::move(layer), kernels);
  }

  void add_unknown(std::uint32_t kernel) {
    Layer layer = timed({kernel});
    layer.bytes = std::nullopt;
    layer.least.macs = 0;
    append(std::move(layer), {kernel});
    ++p_.unattributed_layers;
  }

  /// Adds a layer. Until the layers are sorted, `index` is the position of creation.
  void append(Layer layer, const std::vector<std::uint32_t>& kernels) {
    layer.index = static_cast<std::uint32_t>(p_.layers.size());
    for (const std::uint32_t k : kernels) layer_[k] = layer.index;
    p_.layers.push_back(std::move(layer));
  }

  Layer timed(const std::vector<std::uint32_t>& kernels) const {
    const runtime::KernelInfo& first = m_.collected.kernels[kernels[0]];
    Layer layer{.name = first.name, .type = first.type, .implementation = first.implementation};
    layer.precision = profile::precision_of(first.type, first.output_shapes);
    layer.order = position_[kernels[0]];
    layer.time_ns = time_of(m_.estimates, kernels);
    const std::vector<double> runs =
        corrects_ ? corrected(m_.estimates, kernels) : reported(m_.estimates, kernels);
    layer.corrected_ns = runs.empty() ? 0 : stats::median(runs);
    layer.corrected =
        corrects_ ? replicates_.corrected(kernels, layer.corrected_ns) : layer.time_ns;
    for (const double ns : runs) layer.runs_ns.push_back(std::llround(ns));
    if (corrects_)
      for (const double ns : reported(m_.estimates, kernels))
        layer.reported_runs_ns.push_back(std::llround(ns));
    mark_resolution(layer, m_.estimates.cost.resolution_ns);
    layer.executions = std::llround(m_.estimates.executions[kernels[0]]);
    for (const std::uint32_t k : kernels) {
      const runtime::KernelInfo& info = m_.collected.kernels[k];
      layer.kernels.push_back({info.name, info.type, time_of(m_.estimates, {k})});
    }
    return layer;
  }

  /// Sets the figures that the sums below rely on but do not verify.
  void report_checks() {
    profile::Profiling& f = p_.profiling;
    f.layer_times = corrects_ ? profile::kCorrectedTimes : profile::kReportedTimes;
    if (!corrects_) p_.notes.push_back(reported_note(obstacle_));
    f.factor = replicates_.factor();
    f.unscaled_residual = replicates_.unscaled_residual();
    f.predicted_ratio = replicates_.predicted_ratio();
    f.predicted_profiled_ns = replicates_.predicted_profiled(m_.estimates.predicted_profiled_ns);
    if (corrects_) f.total_ns = replicates_.total(m_.estimates.total_ns);
  }

  void sum_up() {
    profile::Profiling& f = p_.profiling;
    f.raw_sum_ns = f.corrected_sum_ns = 0;
    for (const Layer& layer : p_.layers) {
      f.raw_sum_ns += layer.time_ns.value;
      f.corrected_sum_ns += layer.corrected_ns;
    }
    const Estimates& e = m_.estimates;
    report_checks();
    tell_costs();
    if (!corrects_) f.gaps_ns = reported_gaps(e);
    const double total = corrects_ ? e.total_ns : f.profiled_latency_ns.value;
    f.disturbance_ns = std::max(0.0, total - f.corrected_sum_ns - f.gaps_ns);
    f.outside_layers_ns = f.gaps_ns + f.disturbance_ns;
    share_out(p_);
    const double latency = e.latency.ns.value;
    f.residual_share = latency > 0 ? (f.corrected_sum_ns + f.outside_layers_ns) / latency - 1 : 0;
  }

  void tell_costs() {
    const Estimates& e = m_.estimates;
    for (const DeeperCost& level : e.deeper_costs) {
      std::size_t runs = 0;
      for (const auto& process : level.walls_ns) runs += process.size();
      p_.levels.costs.push_back({level.level, static_cast<std::int64_t>(runs), level.events,
                                 estimate_of_times(level.walls_ns), event_interval(level.cost),
                                 fixed_interval(level.cost)});
    }
    const auto deepest = deepest_walls(e.deeper);
    if (p_.levels.costs.empty() ||
        std::all_of(deepest.begin(), deepest.end(), [](const auto& d) { return d.empty(); }))
      return;
    p_.levels.deepest_ns = estimate_of_times(deepest);
    p_.levels.predicted_deepest_ns = replicates_.predicted_deepest();
  }

  const Measured& m_;
  Replicates replicates_;
  std::string obstacle_;  ///< why the correction is not usable; "": it is
  bool corrects_ = true;
  Profile& p_;
  // By kernel of the optimized graph: index into collected.kernels.
  std::vector<std::uint32_t> measured_;
  std::vector<std::uint32_t> position_;
  std::vector<std::uint32_t> layer_;  // by kernel of the measurement
};

}  // namespace

std::vector<attribution::KernelEvent> events_of(const Collected& collected) {
  std::vector<attribution::KernelEvent> events;
  for (const std::uint32_t k : collected.first_run) {
    const runtime::KernelInfo& info = collected.kernels[k];
    events.push_back({info.name, info.type, info.output_shapes});
  }
  return events;
}

std::vector<graph::NodeId> kernels_of(const Collected& collected,
                                      const attribution::OptimizedGraph& optimized) {
  const std::vector<attribution::KernelEvent> events = events_of(collected);
  std::vector<graph::NodeId> out(collected.kernels.size(), graph::kNone);
  const std::vector<graph::NodeId> joined = attribution::join_events(optimized, events);
  for (std::size_t i = 0; i < joined.size(); ++i) out[collected.first_run[i]] = joined[i];
  return out;
}

std::vector<std::uint32_t> join(const Measured& measured, Profile& profile) {
  const Resolved& resolved = measured.resolved;
  for (graph::NodeId id = 0; id < resolved.model().nodes().size(); ++id)
    profile.nodes.push_back(profile::node_row(resolved, id));
  profile.latency = measured.estimates.latency;
  profile.profiling = measured.estimates.profiling;
  profile.load_ns = measured.estimates.load_ns;
  profile.first_run_ns = measured.estimates.first_run_ns;
  profile.without_layer = measured.attribution.without_layer;
  return Joiner(measured, profile).run();
}

}  // namespace ridge::measure
