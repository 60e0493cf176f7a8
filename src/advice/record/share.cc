// SPDX-License-Identifier: Apache-2.0
#include "advice/record/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::advice {

namespace {

/// Layers and the time between them.
double profiled_ns(const profile::Profile& run) {
  double sum = run.profiling.gaps_ns;
  for (const profile::Layer& layer : run.layers) sum += layer.corrected_ns;
  return sum;
}

/// The profile's parts differ from a run by rounding and noise alone up to here.
constexpr double kRounding = 1.005;

bool is_of_run(const profile::Profile& run) {
  return profiled_ns(run) <= kRounding * run.latency.ns.value;
}

/// The time that shares are of.
double whole_ns(double ns, const profile::Profile& run) {
  return std::max(ns, is_of_run(run) ? run.latency.ns.value : profiled_ns(run));
}

}  // namespace

std::string share_text(double ns, const profile::Profile& run) {
  return fmt::format("{:.0f} % of {}", 100 * ns / whole_ns(ns, run),
                     is_of_run(run) ? "the run" : "a profiled run");
}

double max_gain(double ns, const profile::Profile& run) {
  return ns / whole_ns(ns, run) * run.latency.ns.value;
}

}  // namespace ridge::advice
