// SPDX-License-Identifier: Apache-2.0
#include "advice/run_times.h"

#include <algorithm>
#include <numeric>

namespace ridge::advice {
namespace {

/// Samples of the runs without the profiler, the processes concatenated; empty unless each layer
/// has as many runs.
std::vector<std::int64_t> samples_of(const profile::Profile& run) {
  std::vector<std::int64_t> out;
  for (const profile::Process& process : run.latency.processes)
    out.insert(out.end(), process.samples_ns.begin(), process.samples_ns.end());
  const bool whole = std::ranges::all_of(
      run.layers, [&](const profile::Layer& layer) { return layer.runs_ns.size() == out.size(); });
  if (!whole) out.clear();
  return out;
}

/// Positions of the pairs that count: the middle half of each process' pairs by `total_ns`.
std::vector<std::size_t> middle_half(const profile::Profile& run,
                                     const std::vector<double>& total_ns) {
  std::vector<std::size_t> out;
  std::size_t first = 0;
  for (const profile::Process& process : run.latency.processes) {
    std::vector<std::size_t> pairs(process.samples_ns.size());
    std::iota(pairs.begin(), pairs.end(), first);
    first += pairs.size();
    std::ranges::stable_sort(pairs, {}, [&](std::size_t i) { return total_ns[i]; });
    const auto cut = static_cast<std::ptrdiff_t>(pairs.size() / 4);
    out.insert(out.end(), pairs.begin() + cut, pairs.end() - cut);
  }
  return out;
}

/// Layers and what is outside them as parts of the latency.
void close(RunTimes& times) {
  const double sum = std::accumulate(times.layers_ns.begin(), times.layers_ns.end(), 0.0);
  times.outside_ns = times.latency_ns - sum;
  if (times.outside_ns >= 0) return;
  for (double& ns : times.layers_ns) ns *= times.latency_ns / sum;
  times.outside_ns = 0;
}

}  // namespace

RunTimes run_times(const profile::Profile& run) {
  RunTimes out;
  const std::vector<std::int64_t> samples = samples_of(run);
  std::vector<double> total_ns(samples.begin(), samples.end());
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (const profile::Layer& layer : run.layers)
      total_ns[i] += static_cast<double>(layer.runs_ns[i]);
  std::vector<std::size_t> kept;
  if (!samples.empty()) kept = middle_half(run, total_ns);
  out.kept = kept.size();
  const auto mean_of = [&](const std::vector<std::int64_t>& ns) {
    double sum = 0;
    for (const std::size_t i : kept) sum += static_cast<double>(ns[i]);
    return sum / static_cast<double>(kept.size());
  };
  out.latency_ns = kept.empty() ? run.latency.ns.value : mean_of(samples);
  for (const profile::Layer& layer : run.layers)
    out.layers_ns.push_back(kept.empty() ? layer.corrected_ns : mean_of(layer.runs_ns));
  close(out);
  return out;
}

}  // namespace ridge::advice
