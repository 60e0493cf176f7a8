// SPDX-License-Identifier: Apache-2.0
#include "roofline/bound.h"

#include <algorithm>

namespace ridge::roofline {
namespace {

struct Term {
  std::string kind;
  double ns = 0;
};

/// Returns the slowest memory level: each must deliver at least the bytes that do not fit in the
/// levels before it.
// Example: 900 kB in one trip; L1 32 kB at 400 GB/s, L2 1 MB at 200 GB/s, L3 16 MB. L1 must deliver
// 900 kB: 2.25 us; L2 900 - 32 = 868 kB: 4.34 us; L3 nothing, since 900 kB < 1032 kB. Result:
// memory:L2 with 4.34 us.
Term memory_term(const Demand& demand, const Roofs& roofs) {
  const profile::Least& least = demand.least;
  const std::vector<Level>& levels = roofs.levels;
  Term worst;
  double held = 0, bytes = static_cast<double>(*least.bytes);
  for (const Level& level : levels) {
    const double trip = std::max(0.0, bytes - held) / level.bytes_per_s * 1e9;
    const double ns = static_cast<double>(least.trips) * trip;
    if (ns > worst.ns) worst = {"memory:" + level.name, ns};
    held += static_cast<double>(level.capacity);
    bytes = static_cast<double>(*least.line_bytes);
  }
  const std::int64_t streamed = std::min(least.streamed.value_or(0), demand.run_streamed);
  if (streamed <= 0) return worst;
  const StreamBound run = stream_bound(demand.run_streamed, roofs);
  if (run.level != "memory") return worst;  // nearer caches may keep all of one layer
  const double ns =
      run.time_ns * static_cast<double>(streamed) / static_cast<double>(demand.run_streamed);
  if (ns > worst.ns) worst = {"memory:" + run.level, ns};
  return worst;
}

profile::Bound unknown(std::string reason) {
  return {.kind = "", .time_ns = {}, .roof_share = {}, .reason = std::move(reason)};
}

}  // namespace

std::int64_t run_stream(const std::vector<profile::Layer>& layers) {
  std::int64_t sum = 0;
  for (const profile::Layer& layer : layers) sum += layer.least.streamed.value_or(0);
  return sum;
}

StreamBound stream_bound(std::int64_t streamed, const Roofs& roofs) {
  StreamBound worst;
  std::int64_t held = 0, reach = 0;
  double reach_ns = 0;  // of the cache before this level
  const auto consider = [&](const Level& level, std::int64_t kept, double more_ns) {
    const std::int64_t beyond = std::max<std::int64_t>(0, streamed - kept);
    const double ns = static_cast<double>(beyond) / level.read_per_s * 1e9 + more_ns;
    if (beyond > 0 && ns > worst.time_ns) worst = {level.name, beyond, ns};
  };
  for (const Level& level : roofs.levels) {
    consider(level, held, 0);
    if (reach > 0) consider(level, std::max(held, reach), reach_ns);
    held += level.capacity;
    reach = level.reach;
    reach_ns = static_cast<double>(reach) / level.read_per_s * 1e9;
  }
  return worst;
}

profile::Bound bound_of(const Demand& demand, const Roofs& roofs, double cheapest_kernel_ns,
                        double measured_ns) {
  const profile::Least& least = demand.least;
  if (!least.macs) return unknown("the work of a member is unknown");
  if (!least.bytes || !least.line_bytes) return unknown("the size of a boundary tensor is unknown");
  if (roofs.levels.empty()) return unknown("no memory roof was measured");

  Term worst = memory_term(demand, roofs);
  if (*least.macs > 0) {
    const auto roof = roofs.flop_per_s(demand.dtype);
    if (!roof) return unknown("no compute roof was measured for " + demand.dtype);
    const double ns = 2.0 * static_cast<double>(*least.macs) / *roof * 1e9;
    if (ns > worst.ns) worst = {"compute", ns};
  }
  if (worst.ns < cheapest_kernel_ns) worst.kind = "overhead";

  profile::Bound out{.kind = worst.kind, .time_ns = worst.ns, .roof_share = {}, .reason = {}};
  if (measured_ns > 0)
    out.roof_share = worst.ns / measured_ns;
  else
    out.reason = "no time was measured above the profiler's own cost";
  return out;
}

}  // namespace ridge::roofline
