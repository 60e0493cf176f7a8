// SPDX-License-Identifier: Apache-2.0
#include "measure/whole_runs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "attribution/names.h"
#include "base/clock.h"
#include "measure/gate.h"
#include "measure/material.h"
#include "runtime/runtime.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

/// Fewest runs that count.
constexpr std::size_t kMinRuns = 3;

double seconds_between(Nanos from, Nanos to) {
  return static_cast<double>((to - from).count) * 1e-9;
}

Result<WholeRuns> run(const analysis::Resolved& resolved, const Request& request,
                      const WholePlan& plan) {
  const Nanos begun = steady_clock().now();
  const Material material =
      TRY(prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
  Started started = TRY(start(request.runtime, material));
  const Nanos ready = steady_clock().now();
  const runtime::Measurement m =
      TRY(started.runtime.measure(started.session, {.warmup_runs = 1,
                                                    .profiled_per_round = 0,
                                                    .min_rounds = plan.min_rounds,
                                                    .max_rounds = plan.max_rounds,
                                                    .budget = plan.min_time}));
  WholeRuns out{.load_s = seconds_between(begun, ready),
                .run_s = seconds_between(ready, steady_clock().now())};
  std::vector<std::pair<double, double>> runs;  // foreign load, time
  double wall_ns = 0, cpu_ns = 0;
  for (const runtime::Sample& s : m.samples) {
    if (s.mode != runtime::Mode::kUnprofiled) continue;
    runs.emplace_back(s.foreign_cpus, static_cast<double>(s.wall.count));
    wall_ns += static_cast<double>(s.wall.count);
    cpu_ns += static_cast<double>(s.cpu.count);
  }
  if (request.runtime.threads == 1 && wall_ns > 0)
    out.waiting_share = std::max(0.0, 1 - cpu_ns / wall_ns);
  if (m.failure && runs.size() < kMinRuns) return *m.failure;
  std::ranges::stable_sort(runs, {}, &std::pair<double, double>::first);
  const Host host{.processors = request.processors,
                  .threads = static_cast<int>(request.runtime.threads)};
  std::vector<double> times;
  for (const auto& [load, time] : runs)
    if (times.size() < kMinRuns || !is_disturbed(load, host)) times.push_back(time);
  out.runs = times.size();
  out.disturbed = runs.size() - times.size();
  out.median_ns = stats::median(times);
  return out;
}

}  // namespace

Result<WholeRuns> whole_runs(const analysis::Resolved& resolved, const Request& request,
                             const WholePlan& plan) {
  return attribution::with_original_names(run(resolved, request, plan), resolved.model());
}

}  // namespace ridge::measure
