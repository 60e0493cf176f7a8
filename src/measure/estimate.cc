// SPDX-License-Identifier: Apache-2.0
#include "measure/estimate.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "measure/event_cost.h"
#include "measure/process_median.h"
#include "stats/samples.h"

namespace ridge::measure {
namespace {

std::int64_t median_or_zero(std::vector<double> values) {
  return values.empty() ? 0 : static_cast<std::int64_t>(stats::median(values));
}

struct Walls {
  std::vector<std::vector<double>> plain, profiled, excess;
};

std::vector<double> durations(const Run& run, std::size_t kernels) {
  std::vector<double> out(kernels, 0);
  for (const Event& e : run.events) out[e.kernel] += static_cast<double>(e.duration_ns);
  return out;
}

void take_process(const ProcessRuns& process, const Kept& kept, std::size_t kernels, Estimates& out,
                  Walls& walls) {
  profile::Process samples;
  auto& plain = walls.plain.emplace_back();
  auto& profiled = walls.profiled.emplace_back();
  auto& excess = walls.excess.emplace_back();
  auto& pairs = out.pairs.emplace_back();
  auto& rows = out.kernel_runs.emplace_back();
  auto& deeper = out.deeper.emplace_back();
  for (const std::size_t i : kept.pairs) {
    const Run& run = process.profiled[i];
    samples.samples_ns.push_back(process.plain[i].wall_ns);
    plain.push_back(static_cast<double>(process.plain[i].wall_ns));
    profiled.push_back(static_cast<double>(run.wall_ns));
    excess.push_back(profiled.back() - plain.back());
    rows.push_back(durations(run, kernels));
    pairs.push_back({.plain_ns = plain.back(),
                     .profiled_ns = profiled.back(),
                     .reported_ns = std::accumulate(rows.back().begin(), rows.back().end(), 0.0),
                     .events = static_cast<double>(run.events.size())});
    for (const Event& e : run.events) out.executions[e.kernel] += 1;
    if (!process.deeper.empty()) deeper.push_back({plain.back(), process.deeper[i]});
  }
  samples.warmup_dropped = static_cast<std::int64_t>(kept.warmup);
  samples.steadiness = kept.steadiness;
  out.latency.processes.push_back(std::move(samples));
  out.latency.rejected += static_cast<std::int64_t>(kept.disturbed);
  out.busy |= kept.busy;
}

/// Corrects every run; returns the median of corrected layers plus gaps.
double correct_runs(const EventCost& cost, Estimates& out) {
  for (std::size_t p = 0; p < out.pairs.size(); ++p)
    for (std::size_t i = 0; i < out.pairs[p].size(); ++i)
      out.pairs[p][i].body_ns = body_of_run(out, out.kernel_runs[p][i], cost.inside_ns);
  out.corrections = correct(out.pairs, cost);
  std::vector<double> totals, gaps;
  for (std::size_t p = 0; p < out.pairs.size(); ++p)
    for (std::size_t i = 0; i < out.pairs[p].size(); ++i) {
      const Correction& c = out.corrections[p][i];
      totals.push_back(out.pairs[p][i].body_ns * c.factor + c.gaps_ns);
      gaps.push_back(c.gaps_ns);
    }
  out.profiling.gaps_ns = stats::median(gaps);
  return stats::median(totals);
}

void tell_costs(const EventCost& cost, profile::Profiling& p) {
  p.event_cost_ns = cost.wall_ns;
  p.event_share_ns = cost.inside_ns;
  p.resolution_ns = cost.resolution_ns;
  p.cheapest_kernel_ns = cost.cheapest_kernel_ns;
  p.event_cost = event_interval(cost);
  p.fixed_cost = fixed_interval(cost);
}

/// Sums `time` over the members, run by run.
template <typename Time>
std::vector<std::vector<double>> sums(const Estimates& e, const std::vector<std::uint32_t>& members,
                                      Time time) {
  std::vector<std::vector<double>> out;
  for (std::size_t p = 0; p < e.kernel_runs.size(); ++p) {
    auto& runs = out.emplace_back();
    for (std::size_t i = 0; i < e.kernel_runs[p].size(); ++i) {
      double sum = 0;
      for (const std::uint32_t k : members) sum += time(p, i, k);
      runs.push_back(sum);
    }
  }
  return out;
}

std::vector<std::vector<double>> reported_sums(const Estimates& e,
                                               const std::vector<std::uint32_t>& members) {
  return sums(e, members, [&](std::size_t process, std::size_t run, std::uint32_t k) {
    return e.kernel_runs[process][run][k];
  });
}

std::vector<double> flat(const std::vector<std::vector<double>>& processes) {
  std::vector<double> all;
  for (const auto& p : processes) all.insert(all.end(), p.begin(), p.end());
  return all;
}

/// Mean of the middle half of the runs, which resolves finer than a median if the profiler reports
/// whole microseconds; 0 for no runs.
double interquartile_mean(std::vector<double> runs) {
  std::sort(runs.begin(), runs.end());
  // Example: runs of 1, 2, ..., 8: cut = 2, the mean of 3, 4, 5 and 6 is 4.5.
  const std::size_t cut = runs.size() / 4;
  const std::span middle = std::span(runs).subspan(cut, runs.size() - 2 * cut);
  return middle.empty() ? 0 : stats::mean(middle);
}

}  // namespace

Estimates estimate(const std::vector<ProcessRuns>& processes, std::size_t kernels,
                   const EventCost& cost, const Host& host) {
  std::vector<Kept> kept;
  for (const ProcessRuns& process : processes) kept.push_back(gate(process, host));
  return estimate(processes, kept, kernels, cost);
}

Estimates estimate(const std::vector<ProcessRuns>& processes, const std::vector<Kept>& kept,
                   std::size_t kernels, const EventCost& cost) {
  Estimates out;
  out.executions.assign(kernels, 0);
  Walls walls;
  std::vector<double> loads, firsts;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const ProcessRuns& process = processes[p];
    if (kept[p].pairs.empty()) {
      out.latency.processes.emplace_back();
      continue;
    }
    take_process(process, kept[p], kernels, out, walls);
    if (process.load_ns > 0) loads.push_back(static_cast<double>(process.load_ns));
    firsts.push_back(static_cast<double>(process.first_run_ns));
  }
  out.load_ns = median_or_zero(loads);
  out.first_run_ns = median_or_zero(firsts);
  if (out.pairs.empty()) return out;

  std::size_t pairs = 0;
  for (const auto& process : out.pairs) pairs += process.size();
  for (double& n : out.executions) n /= static_cast<double>(pairs);

  out.latency.ns = estimate_of_times(walls.plain);
  profile::Profiling& p = out.profiling;
  p.profiled_latency_ns = estimate_of_times(walls.profiled);
  p.excess_ns = estimate_of(walls.excess);
  out.cost = with_share_below(cost, share_bound(out, cost.cheapest_kernel_ns));
  tell_costs(out.cost, p);
  out.total_ns = correct_runs(out.cost, out);
  const double events = std::accumulate(out.executions.begin(), out.executions.end(), 0.0);
  out.predicted_profiled_ns = out.latency.ns.value + events * cost.wall_ns + cost.fixed_ns;
  out.deeper_costs = deeper_costs(out.deeper);
  return out;
}

double body_of(const Estimates& e, const std::vector<double>& run, std::uint32_t kernel,
               double inside_ns) {
  return std::max(0.0, run[kernel] - e.executions[kernel] * inside_ns);
}

double body_of_run(const Estimates& e, const std::vector<double>& run, double inside_ns) {
  double sum = 0;
  for (std::uint32_t k = 0; k < run.size(); ++k) sum += body_of(e, run, k, inside_ns);
  return sum;
}

stats::Estimate time_of(const Estimates& e, const std::vector<std::uint32_t>& members) {
  return estimate_of_times(reported_sums(e, members));
}

std::vector<double> reported(const Estimates& e, const std::vector<std::uint32_t>& members) {
  return flat(reported_sums(e, members));
}

std::vector<std::vector<double>> corrected_by_process(const Estimates& e,
                                                      const std::vector<std::uint32_t>& members) {
  return sums(e, members, [&](std::size_t process, std::size_t run, std::uint32_t k) {
    return body_of(e, e.kernel_runs[process][run], k, e.cost.inside_ns) *
           e.corrections[process][run].factor;
  });
}

std::vector<double> corrected(const Estimates& e, const std::vector<std::uint32_t>& members) {
  return flat(corrected_by_process(e, members));
}

double share_bound(const Estimates& e, double cheapest_kernel_ns) {
  // No event can cost more inside its kernel's report than the report itself: if the shortest
  // kernels report 2000 ns and the cheapest one of the calibration takes 500, the share is at most
  // 1500.
  constexpr double kShortest = 0.05;
  std::vector<double> reports;
  for (std::uint32_t k = 0; k < e.executions.size(); ++k)
    if (const double ns = interquartile_mean(reported(e, {k})); ns > 0)
      reports.push_back(ns / e.executions[k]);
  if (reports.empty()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, stats::quantile(reports, kShortest) - cheapest_kernel_ns);
}

}  // namespace ridge::measure
