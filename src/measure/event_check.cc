// SPDX-License-Identifier: Apache-2.0
#include "measure/event_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/text.h"
#include "profile/rows.h"

namespace ridge::measure {
namespace {

using runtime::KernelEvent;
using runtime::Measurement;
using runtime::ProfiledRun;

constexpr std::int64_t kStepNs = 1000;
/// Minimum divisor reported as coarse: one in ten durations is a multiple of ten steps by chance.
constexpr std::int64_t kCoarse = 10 * kStepNs;
constexpr std::size_t kEnough = 30;

/// Number of events or runs, and the kernel of the first.
struct Found {
  std::int64_t times = 0;
  std::string first;

  void add(const std::string& kernel) {
    if (times++ == 0) first = kernel;
  }
};

struct Faults {
  std::int64_t runs = 0;
  Found backward, too_long, twice, run_too_long, unlike;
};

/// Number of executions of each top-level kernel: the same in every run of a model.
std::map<std::uint32_t, int> executions(const ProfiledRun& run) {
  std::map<std::uint32_t, int> out;
  for (const KernelEvent& e : run.events)
    if (e.parent == runtime::kNone) ++out[e.kernel];
  return out;
}

/// Returns a kernel whose execution count differs.
std::uint32_t differing_kernel(const std::map<std::uint32_t, int>& a,
                               const std::map<std::uint32_t, int>& b) {
  for (const auto& [kernel, times] : a)
    if (const auto found = b.find(kernel); found == b.end() || found->second != times)
      return kernel;
  return b.begin()->first;
}

void find_unlike(const Measurement& m, const std::vector<const ProfiledRun*>& runs, Faults& out) {
  std::vector<std::map<std::uint32_t, int>> all;
  std::map<std::map<std::uint32_t, int>, int> kinds;
  for (const ProfiledRun* run : runs) ++kinds[all.emplace_back(executions(*run))];
  const auto usual =
      std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second; });
  for (const auto& kernels : all) {
    if (kernels == usual->first) continue;
    const std::uint32_t other =
        kernels.empty() ? usual->first.begin()->first : differing_kernel(usual->first, kernels);
    out.unlike.add(m.kernels[other].name);
  }
}

void find_in_run(const Measurement& m, const ProfiledRun& run, Faults& out) {
  const std::int64_t wall = m.samples[run.sample].wall.count;
  if (run.model_run_ns > wall + wall / 10 + kStepNs) out.run_too_long.add("");
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> seen;
  for (const KernelEvent& e : run.events) {
    const std::string& name = m.kernels[e.kernel].name;
    if (e.duration_ns < 0 || e.window_ns < 0) out.backward.add(name);
    // For a runtime that reports means, a run may be shorter than its layer is on average.
    if (e.duration_ns > 2 * wall + kStepNs) out.too_long.add(name);
    if (!seen.emplace(e.kernel, e.queue, e.start_ns).second && e.duration_ns > 0)
      out.twice.add(name);
  }
}

Faults find(const std::vector<ProcessMeasurement>& processes) {
  Faults out;
  for (const ProcessMeasurement& process : processes) {
    const Measurement& m = process.measurement;
    std::vector<const ProfiledRun*> runs;
    for (const ProfiledRun& run : m.profiled)
      if (run.sample < m.samples.size()) runs.push_back(&run);
    if (runs.empty()) continue;
    out.runs += std::ssize(runs);
    for (const ProfiledRun* run : runs) find_in_run(m, *run, out);
    find_unlike(m, runs, out);
  }
  return out;
}

std::string first_of(const Found& found) {
  return fmt::format("{} (first: '{}')", counted(found.times, "event"), found.first);
}

/// True if all kernels of the layer are in the main graph and a node it executes has work.
bool must_run(const attribution::Attribution& a, const attribution::Layer& layer,
              const analysis::Resolved& resolved) {
  for (const std::uint32_t k : layer.kernels)
    if (a.kernels[k].parent != graph::kNone) return false;
  return std::ranges::any_of(layer.members, [&](const profile::Member& m) {
    if (m.role != profile::Role::kExecutes) return false;
    const profile::Node node = profile::node_row(resolved, m.node);
    return !node.parent && (node.work.macs.value_or(0) > 0 || node.work.flops.value_or(0) > 0 ||
                            node.work.special.value_or(0) > 0);
  });
}

}  // namespace

std::int64_t duration_step_ns(const std::vector<ProcessMeasurement>& processes) {
  std::int64_t step = 0;
  std::size_t events = 0;
  for (const ProcessMeasurement& process : processes)
    for (const ProfiledRun& run : process.measurement.profiled)
      for (const KernelEvent& e : run.events)
        if (e.duration_ns > 0) {
          step = std::gcd(step, e.duration_ns);
          ++events;
        }
  return events < kEnough || step < kCoarse ? kStepNs : step;
}

std::vector<std::string> event_notes(const std::vector<ProcessMeasurement>& processes) {
  const Faults f = find(processes);
  std::vector<std::string> out;
  const auto events = [&](const Found& found, std::string_view what) {
    if (found.times > 0)
      out.push_back(fmt::format("the profiler reports {} {}", first_of(found), what));
  };
  events(f.backward, "that end before they begin: its clock was set back");
  events(f.too_long, "that last longer than the run around them: its clock was set forward");
  events(f.twice, "twice: their times count twice");
  if (f.run_too_long.times > 0)
    out.push_back(
        fmt::format("the profiler gives {} more time than went by: its clock was set "
                    "forward, or runs fast",
                    counted(f.run_too_long.times, "run")));
  if (f.unlike.times > 0)
    out.push_back(
        fmt::format("{} of {} profiled runs have more or fewer events than the others "
                    "(first: '{}')",
                    f.unlike.times, f.runs, f.unlike.first));
  if (const std::int64_t step = duration_step_ns(processes); step > kStepNs)
    out.push_back(fmt::format(
        "the profiler reports times in steps of {}: layers are known no better than that",
        duration(static_cast<double>(step))));
  return out;
}

std::optional<std::string> missing_note(const attribution::Attribution& attribution,
                                        const std::vector<bool>& executed,
                                        const analysis::Resolved& resolved) {
  Found missing;
  for (const attribution::Layer& layer : attribution.layers) {
    const bool ran =
        std::ranges::any_of(layer.kernels, [&](std::uint32_t k) { return executed[k]; });
    if (!ran && must_run(attribution, layer, resolved)) missing.add(layer.name);
  }
  if (missing.times == 0) return std::nullopt;
  return fmt::format(
      "the profiler reports no event of {} that the runtime lists (first: '{}'): their time is in "
      "no layer",
      counted(missing.times, "layer"), missing.first);
}

std::optional<std::string> unplaced_note(const attribution::Attribution& attribution,
                                         const analysis::Resolved& resolved) {
  const std::vector<std::uint32_t>& unplaced = attribution.unplaced;
  if (unplaced.empty()) return std::nullopt;
  constexpr std::size_t kNamed = 10;
  std::string note =
      fmt::format("{} could not be attributed to a layer", counted(std::ssize(unplaced), "node"));
  for (std::size_t i = 0; i < std::min(unplaced.size(), kNamed); ++i)
    note += (i == 0 ? ": " : ", ") + resolved.model().describe(unplaced[i]);
  if (unplaced.size() > kNamed) note += fmt::format(" and {} more", unplaced.size() - kNamed);
  return note;
}

}  // namespace ridge::measure
