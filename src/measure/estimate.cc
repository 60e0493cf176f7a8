#include "measure/estimate.h"

#include <algorithm>

#include "stats/bootstrap.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

/// Intervals of single layers need no more: their noise is that of the machine, not of the
/// bootstrap.
constexpr int kLayerResamples = 400;

profile::Estimate estimate_of(const std::vector<std::vector<double>>& processes, int resamples) {
  const stats::Estimate e = stats::hierarchical_median(processes, {.resamples = resamples});
  return {e.value, e.ci.lo, e.ci.hi};
}

std::int64_t median_of(std::vector<double> values) {
  return values.empty() ? 0 : static_cast<std::int64_t>(stats::median(values));
}

struct Walls {
  std::vector<std::vector<double>> plain, profiled, outside;
  std::vector<double> events;
};

std::vector<double> durations(const Run& run, std::size_t kernels) {
  std::vector<double> out(kernels, 0);
  for (const Event& e : run.events) out[e.kernel] += static_cast<double>(e.duration_ns);
  return out;
}

void take(const ProcessRuns& process, const Kept& kept, std::size_t kernels, Estimates& out,
          Walls& walls) {
  profile::Process samples;
  auto& plain = walls.plain.emplace_back();
  auto& profiled = walls.profiled.emplace_back();
  auto& outside = walls.outside.emplace_back();
  auto& rows = out.kernel_runs.emplace_back();
  for (const std::size_t i : kept.pairs) {
    const Run& run = process.profiled[i];
    samples.samples_ns.push_back(process.plain[i].wall_ns);
    plain.push_back(static_cast<double>(process.plain[i].wall_ns));
    profiled.push_back(static_cast<double>(run.wall_ns));
    rows.push_back(durations(run, kernels));
    double sum = 0;
    for (const double ns : rows.back()) sum += ns;
    outside.push_back(static_cast<double>(run.wall_ns) - sum);
    walls.events.push_back(static_cast<double>(run.events.size()));
    for (const Event& e : run.events) out.executions[e.kernel] += 1;
  }
  samples.warmup_dropped = static_cast<std::int64_t>(kept.warmup);
  samples.steadiness = kept.steadiness;
  out.latency.processes.push_back(std::move(samples));
  out.latency.rejected += static_cast<std::int64_t>(kept.disturbed);
  out.busy |= kept.busy;
}

}  // namespace

Estimates estimate(const std::vector<ProcessRuns>& processes, std::size_t kernels,
                   const EventCost& cost, const Host& host) {
  Estimates out;
  out.executions.assign(kernels, 0);
  Walls walls;
  std::vector<double> loads, firsts;
  for (const ProcessRuns& process : processes) {
    const Kept kept = gate(process, host);
    if (kept.pairs.empty()) continue;
    take(process, kept, kernels, out, walls);
    loads.push_back(static_cast<double>(process.load_ns));
    firsts.push_back(static_cast<double>(process.first_run_ns));
  }
  out.load_ns = median_of(loads);
  out.first_run_ns = median_of(firsts);
  if (walls.events.empty()) return out;

  const auto pairs = static_cast<double>(walls.events.size());
  for (double& n : out.executions) n /= pairs;
  out.latency.ns = estimate_of(walls.plain, stats::BootstrapOptions{}.resamples);

  profile::Profiling& p = out.profiling;
  p.profiled_latency_ns = estimate_of(walls.profiled, stats::BootstrapOptions{}.resamples);
  p.event_cost_ns = cost.wall_ns;
  p.event_share_ns = cost.inside_ns;
  p.resolution_ns = cost.resolution_ns;
  p.cheapest_kernel_ns = cost.cheapest_kernel_ns;
  const double between = cost.wall_ns - cost.inside_ns;
  p.gaps_ns = std::max(0.0, estimate_of(walls.outside, kLayerResamples).median -
                                stats::median(walls.events) * between);
  return out;
}

profile::Estimate time_of(const Estimates& estimates, const std::vector<std::uint32_t>& members) {
  std::vector<std::vector<double>> sums;
  for (const auto& process : estimates.kernel_runs) {
    auto& runs = sums.emplace_back();
    for (const auto& kernels : process) {
      double sum = 0;
      for (const std::uint32_t k : members) sum += kernels[k];
      runs.push_back(sum);
    }
  }
  return estimate_of(sums, kLayerResamples);
}

double corrected(const Estimates& estimates, const EventCost& cost, double reported_ns,
                 const std::vector<std::uint32_t>& members) {
  double executions = 0;
  for (const std::uint32_t k : members) executions += estimates.executions[k];
  return std::max(0.0, reported_ns - executions * cost.inside_ns);
}

}  // namespace ridge::measure
