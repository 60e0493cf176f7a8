// SPDX-License-Identifier: Apache-2.0
#include "measure/reported_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "measure/self_check.h"

namespace ridge::measure {

using profile::Layer;
using profile::Profiling;
using stats::Estimate;

std::string obstacle(const Estimate& factor) {
  std::string is = "its factor is " + factor_text(factor);
  if (!(factor.low() > 0 && factor.high() < 2 * factor.value))
    return is + ", an interval as wide as itself";
  return factor.value < kAbsurd && factor.value > 1 / kAbsurd ? "" : is;
}

std::string reported_note(std::string_view why) {
  return fmt::format(
      "layer times are as reported, with the profiler's cost in them: the correction is not usable "
      "here ({}); measure with more --processes, for longer (--budget) or on a quieter machine",
      why);
}

void mark_resolution(Layer& layer, double resolution_ns) {
  layer.below_resolution = layer.corrected_ns < resolution_ns;
  if (layer.below_resolution && layer.corrected && layer.corrected->interval) {
    double& high = layer.corrected->interval->hi;
    high = std::max(high, resolution_ns);
  }
}

void show_reported(profile::Profile& p, std::string_view why) {
  Profiling& f = p.profiling;
  if (f.factor) std::erase(p.notes, factor_note(*f.factor));
  p.notes.push_back(reported_note(why));
  for (Layer& layer : p.layers) {
    layer.corrected_ns = layer.time_ns.value;
    layer.corrected = layer.time_ns;
    layer.runs_ns = std::move(layer.reported_runs_ns);
    layer.reported_runs_ns.clear();
    mark_resolution(layer, f.resolution_ns);
  }
  f.layer_times = profile::kReportedTimes;
  f.total_ns.reset();
  f.corrected_sum_ns = f.raw_sum_ns;
  f.gaps_ns = f.outside_layers_ns = std::max(0.0, f.profiled_latency_ns.value - f.raw_sum_ns);
  f.disturbance_ns = 0;
  const double latency = p.latency.ns.value;
  f.residual_share = latency > 0 ? (f.corrected_sum_ns + f.outside_layers_ns) / latency - 1 : 0;
  share_out(p);
}

void share_out(profile::Profile& p) {
  const double sum = p.profiling.corrected_sum_ns;
  p.unattributed_share = 0;
  for (Layer& layer : p.layers) {
    layer.share = sum > 0 ? layer.corrected_ns / sum : 0;
    if (layer.members.empty() && !layer.inserted) p.unattributed_share += layer.share;
  }
}

}  // namespace ridge::measure
