// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/estimated_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/text.h"
#include "base/version.h"
#include "export/accelerator/words.h"
#include "profile/rows.h"
#include "roofline/place.h"

namespace ridge::exports {
namespace {

using profile::Evidence;
using profile::Profile;
using profile::Role;
using stats::Estimate;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Modeled value, without an interval.
Estimate modeled(double value) { return {value}; }

profile::Layer layer_of(const accelerator::StudyPoint& point, std::size_t i) {
  const accelerator::Layer& from = point.network->lowered.layers[i];
  const accelerator::LayerCost& cost = point.estimate.layers[i];
  const analysis::Resolved& resolved = *point.network->resolved;
  profile::Layer out{
      .index = static_cast<std::uint32_t>(i), .name = from.name, .type = from.op_type};
  out.order = out.index;
  out.implementation = mapping_text(cost);
  out.time_ns = modeled(cost.latency_ns.value_or(0));
  out.corrected_ns = out.time_ns.value;
  out.members.push_back({from.node, Role::kExecutes, Evidence::kRuntimeList});
  for (const graph::NodeId rider : from.riders)
    out.members.push_back({rider, Role::kExecutes, Evidence::kRuntimeList});
  for (const profile::Member& m : out.members)
    profile::add(out.work, profile::work_of(resolved.counts(m.node)));
  if (cost.dram) out.bytes = cost.dram_read_bytes + cost.dram_write_bytes;
  if (cost.dram) out.output_bytes = cost.dram_write_bytes;
  out.module = profile::module_of(resolved, out.members);
  return out;
}

void describe(const accelerator::Study& view, const accelerator::StudyPoint& point, Profile& p) {
  p.subject = profile::subject_of(*point.network->resolved);
  p.subject.kind = "estimated";
  p.host_json = "{}";  // as in documents: no host
  p.subject.runtime = machine_name(point.machine);
  p.subject.runtime_version = std::string(name(view.convention));
  p.subject.ridge_version = version();
  for (const auto& [key, value] : point.set) p.subject.options[key] = value;
  if (point.pad != "none") p.subject.options["pad"] = point.pad;
  p.batch = profile::batch_of(*point.network->resolved);
  p.latency.ns = modeled(point.estimate.totals.latency_ns.value_or(kUnknown));
  p.items_per_s = static_cast<double>(p.batch) / p.latency.ns.value * 1e9;
  profile::Profiling& f = p.profiling;
  f.profiled_latency_ns = f.excess_ns = modeled(kUnknown);
  f.event_cost_ns = f.event_share_ns = f.disturbance_ns = f.residual_share = kUnknown;
  f.resolution_ns = f.cheapest_kernel_ns = f.gaps_ns = f.outside_layers_ns = kUnknown;
  p.notes.push_back("times are modelled: " + machine_text(point.machine));
  if (std::string left_out = left_out_text(point); !left_out.empty())
    p.notes.push_back(std::move(left_out));
}

/// Adds a note with the number of nodes in no layer, which cost nothing in this estimate.
void note_rest(Profile& p) {
  std::vector<bool> placed(p.nodes.size());
  for (const profile::Layer& layer : p.layers)
    for (const profile::Member& m : layer.members) placed[m.node] = true;
  const auto open = std::ranges::count(placed, false);
  if (open > 0)
    p.notes.push_back(
        fmt::format("{} of no layer, at no cost: views, constants, and what the "
                    "machine has no unit for",
                    counted(open, "node")));
}

}  // namespace

bool has_run(const accelerator::StudyPoint& point) {
  return point.network->resolved != nullptr && point.described() != nullptr;
}

Profile estimated_run(const accelerator::Study& view, const accelerator::StudyPoint& point) {
  Profile p;
  describe(view, point, p);
  const analysis::Resolved& resolved = *point.network->resolved;
  for (graph::NodeId id = 0; id < resolved.model().nodes().size(); ++id)
    p.nodes.push_back(profile::node_row(resolved, id));
  for (std::size_t i = 0; i < point.estimate.layers.size(); ++i) {
    p.layers.push_back(layer_of(point, i));
    p.profiling.raw_sum_ns += p.layers.back().corrected_ns;
  }
  p.profiling.corrected_sum_ns = p.profiling.raw_sum_ns;
  for (profile::Layer& layer : p.layers)
    layer.share = p.profiling.raw_sum_ns > 0 ? layer.corrected_ns / p.profiling.raw_sum_ns : 0;
  p.modules = roofline::roll_up(p.layers);
  note_rest(p);
  return p;
}

}  // namespace ridge::exports
