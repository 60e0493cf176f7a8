// SPDX-License-Identifier: Apache-2.0
#include "measure/collect.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/number.h"

namespace ridge::measure {
namespace {

using runtime::KernelInfo;
using runtime::Measurement;
using runtime::Mode;

constexpr std::uint32_t kUnmatched = runtime::kNone;

/// Kernels in order of their first execution, taken over all profiled runs.
std::vector<std::uint32_t> execution_order(const Measurement& m) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(m.kernels.size(), false);
  for (const auto& run : m.profiled) {
    std::vector<const runtime::KernelEvent*> events;
    for (const auto& e : run.events) events.push_back(&e);
    std::stable_sort(events.begin(), events.end(),
                     [](const auto* a, const auto* b) { return a->start_ns < b->start_ns; });
    for (const auto* e : events) {
      if (e->kernel >= seen.size() || seen[e->kernel]) continue;
      seen[e->kernel] = true;
      order.push_back(e->kernel);
    }
  }
  return order;
}

/// Maps each kernel of `other` to the same kernel of `reference`; kUnmatched if there is none.
std::vector<std::uint32_t> match(const Measurement& reference, const Measurement& other) {
  std::unordered_map<std::string_view, std::uint32_t> by_name;
  for (std::uint32_t k = 0; k < reference.kernels.size(); ++k)
    by_name.emplace(reference.kernels[k].name, k);
  std::vector<std::uint32_t> to(other.kernels.size(), kUnmatched);
  std::vector<bool> taken(reference.kernels.size(), false);

  const auto alike = [&](std::uint32_t a, std::uint32_t b) {
    const KernelInfo &x = reference.kernels[a], &y = other.kernels[b];
    return x.type == y.type && without_numbers(x.name) == without_numbers(y.name);
  };
  const std::vector<std::uint32_t> there = execution_order(reference),
                                   here = execution_order(other);
  const bool same_sequence = there.size() == here.size() && [&] {
    for (std::size_t i = 0; i < here.size(); ++i)
      if (!alike(there[i], here[i])) return false;
    return true;
  }();
  if (same_sequence) {
    for (std::size_t i = 0; i < here.size(); ++i) to[here[i]] = there[i];
    return to;
  }
  for (std::uint32_t k = 0; k < other.kernels.size(); ++k)
    if (const auto it = by_name.find(other.kernels[k].name);
        it != by_name.end() && !taken[it->second]) {
      to[k] = it->second;
      taken[it->second] = true;
    }
  return to;
}

Run plain_run(const runtime::Sample& sample) {
  return {.wall_ns = sample.wall.count,
          .foreign_cpus = std::max(0.0, sample.foreign_cpus),
          .events = {}};
}

/// Wall time as reported by the runtime, else as measured around the call.
std::int64_t wall_of(const Measurement& m, const runtime::ProfiledRun& profiled) {
  return profiled.model_run_ns > 0 ? profiled.model_run_ns : m.samples[profiled.sample].wall.count;
}

Run profiled_run(const Measurement& m, const runtime::ProfiledRun& profiled,
                 const std::vector<std::uint32_t>& to) {
  Run run = plain_run(m.samples[profiled.sample]);
  run.wall_ns = wall_of(m, profiled);
  for (const runtime::KernelEvent& e : profiled.events)
    run.events.push_back({to[e.kernel], std::max<std::int64_t>(0, e.exclusive_ns)});
  return run;
}

std::optional<Mode> mode_of(const Measurement& m, const runtime::ProfiledRun& run) {
  return run.sample < m.samples.size() ? std::optional(m.samples[run.sample].mode) : std::nullopt;
}

/// Runs of levels below the layers, by round.
std::unordered_map<std::uint32_t, DeeperRuns> deeper_runs(const Measurement& m) {
  std::unordered_map<std::uint32_t, DeeperRuns> out;
  for (const runtime::DeepRun& run : m.deep) {
    if (run.sample >= m.samples.size()) continue;
    const runtime::Sample& sample = m.samples[run.sample];
    DeeperRuns& round = out[sample.round];
    const auto leveled = [&](std::uint32_t readings) {
      return LeveledRun{static_cast<double>(sample.wall.count), static_cast<int>(readings)};
    };
    if (sample.mode == Mode::kThreadPart) round.part[kThreadLevel] = leveled(run.thread_readings);
    if (sample.mode == Mode::kThread) round.whole[kThreadLevel] = leveled(run.thread_readings);
    if (sample.mode == Mode::kCounterPart)
      round.part[kCounterLevel] = leveled(run.counter_readings);
    if (sample.mode == Mode::kCounter) round.whole[kCounterLevel] = leveled(run.counter_readings);
  }
  for (const runtime::ProfiledRun& run : m.profiled)
    if (mode_of(m, run) == Mode::kDeepest)
      out[m.samples[run.sample].round].deepest_ns = static_cast<double>(wall_of(m, run));
  return out;
}

/// Pairs the first unprofiled with the first profiled run of every round that has both.
ProcessRuns pair_runs(const ProcessMeasurement& process, const std::vector<std::uint32_t>& to) {
  const Measurement& m = process.measurement;
  ProcessRuns out{.load_ns = process.load_ns};
  std::unordered_map<std::uint32_t, const runtime::ProfiledRun*> profiled_of;
  for (const auto& run : m.profiled)
    if (mode_of(m, run) == Mode::kProfiled) profiled_of.emplace(m.samples[run.sample].round, &run);
  const std::unordered_map<std::uint32_t, DeeperRuns> deeper = deeper_runs(m);
  std::uint32_t next = 0;
  for (const runtime::Sample& sample : m.samples) {
    if (sample.mode == Mode::kFirst) out.first_run_ns = sample.wall.count;
    if (sample.mode != Mode::kUnprofiled || sample.round < next) continue;
    const auto it = profiled_of.find(sample.round);
    if (it == profiled_of.end()) continue;
    out.plain.push_back(plain_run(sample));
    out.profiled.push_back(profiled_run(m, *it->second, to));
    if (const auto deep = deeper.find(sample.round); deep != deeper.end())
      out.deeper.resize(out.plain.size() - 1), out.deeper.push_back(deep->second);
    out.rounds.push_back(sample.round);
    next = sample.round + 1;
  }
  if (!out.deeper.empty()) out.deeper.resize(out.plain.size());
  return out;
}

}  // namespace

std::string without_numbers(std::string_view name) {
  constexpr std::string_view kToken = "_token_";
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    if (name.substr(i).starts_with(kToken)) {
      out += kToken;
      i += kToken.size();
      while (i < name.size() && is_digit(name[i])) ++i;
      continue;
    }
    out += name[i++];
  }
  return out;
}

Collected collect(const std::vector<ProcessMeasurement>& processes) {
  Collected out;
  out.same_kernel.resize(processes.size());
  out.processes.resize(processes.size());
  const Measurement* reference = nullptr;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Measurement& m = processes[i].measurement;
    if (m.kernels.empty()) continue;
    if (!reference) {
      reference = &m;
      out.kernels = m.kernels;
      out.order = execution_order(m);
      if (!m.profiled.empty())
        for (const runtime::KernelEvent& e : m.profiled.front().events)
          out.first_run.push_back(e.kernel);
    }
    std::vector<std::uint32_t> to = match(*reference, m);
    const bool whole = std::find(to.begin(), to.end(), kUnmatched) == to.end();
    if (!whole) {
      out.notes.push_back("process " + std::to_string(i + 1) +
                          " ran other kernels than the first one and was left out");
      continue;
    }
    out.processes[i] = pair_runs(processes[i], to);
    out.same_kernel[i] = std::move(to);
  }
  return out;
}

}  // namespace ridge::measure
