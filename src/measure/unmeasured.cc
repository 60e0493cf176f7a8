// SPDX-License-Identifier: Apache-2.0
#include "measure/unmeasured.h"

#include <algorithm>
#include <limits>

namespace ridge::measure {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr stats::Estimate kNone{kUnknown};

}  // namespace

bool unmeasured(const profile::Profile& p) {
  return std::ranges::all_of(p.latency.processes,
                             [](const profile::Process& q) { return q.samples_ns.empty(); });
}

void leave_times_unknown(profile::Profile& p) {
  p.latency.ns = kNone;
  p.items_per_s = kUnknown;
  p.unattributed_share = kUnknown;
  p.profiling = {.profiled_latency_ns = kNone,
                 .excess_ns = kNone,
                 .event_cost_ns = kUnknown,
                 .event_share_ns = kUnknown,
                 .resolution_ns = kUnknown,
                 .cheapest_kernel_ns = kUnknown,
                 .raw_sum_ns = kUnknown,
                 .corrected_sum_ns = kUnknown,
                 .gaps_ns = kUnknown,
                 .disturbance_ns = kUnknown,
                 .outside_layers_ns = kUnknown,
                 .residual_share = kUnknown};
  p.notes.clear();
  p.notes.emplace_back(
      p.layers.empty()
          ? "no time was measured: the runtime computes the whole model when it is loaded, so no "
            "layer runs"
          : "no time was measured: no run of the model counts; measure longer with --budget, or on "
            "a quieter machine");
}

}  // namespace ridge::measure
