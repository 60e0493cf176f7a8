// SPDX-License-Identifier: Apache-2.0
#include "measure/levels.h"

#include <algorithm>
#include <map>
#include <optional>

#include "measure/event_cost.h"
#include "measure/process_median.h"

namespace ridge::measure {
namespace {

using DeeperProcesses = std::vector<std::vector<DeeperPair>>;
using Doses = std::array<std::optional<LeveledRun>, kDeeperLevels> DeeperRuns::*;
using runtime::Measurement;
using runtime::Mode;

constexpr profile::Level kLevelOf[kDeeperLevels] = {profile::Level::kThread,
                                                    profile::Level::kCounter};

/// Returns the number of readings that most runs have.
int usual_events(const DeeperProcesses& processes, Doses dose, std::size_t level) {
  std::map<int, int> runs;
  for (const auto& process : processes)
    for (const DeeperPair& pair : process)
      if (const auto& run = (pair.runs.*dose)[level]) ++runs[run->events];
  const auto most = std::max_element(
      runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == runs.end() ? 0 : most->first;
}

LeveledRuns runs_of(const DeeperProcesses& processes, Doses dose, std::size_t level) {
  LeveledRuns out{.events = usual_events(processes, dose, level)};
  for (const auto& process : processes)
    for (const DeeperPair& pair : process) {
      const auto& run = (pair.runs.*dose)[level];
      if (!run || run->events != out.events) continue;
      out.plain_ns.push_back(pair.plain_ns);
      out.profiled_ns.push_back(run->wall_ns);
      out.reported_ns.push_back(run->wall_ns);
    }
  return out;
}

/// [process][run]
using Series = std::vector<std::vector<double>>;

std::optional<stats::Estimate> known(const Series& series) {
  if (std::all_of(series.begin(), series.end(), [](const auto& s) { return s.empty(); }))
    return std::nullopt;
  return estimate_of_times(series);
}

/// Visits the runs of `mode`: those that carried a level with all of its readings.
template <typename Use>
void each_run(const std::vector<ProcessMeasurement>& processes, Mode mode, Use&& use) {
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const Measurement& m = processes[p].measurement;
    for (const runtime::DeepRun& run : m.deep)
      if (run.sample < m.samples.size() && m.samples[run.sample].mode == mode) use(p, m, run);
  }
}

struct ThreadSeries {
  std::string name;
  Series cpu_ns, wait_ns, switches;
};

void tell_threads(const std::vector<ProcessMeasurement>& processes, std::uint32_t threads,
                  profile::Levels& levels) {
  const std::size_t count = processes.size();
  std::vector<ThreadSeries> all;
  Series imbalance(count);
  each_run(processes, Mode::kThread, [&](std::size_t p, const Measurement& m, const auto& run) {
    double sum = 0, most = 0;
    for (const runtime::ThreadWork& work : run.threads) {
      while (all.size() <= work.thread)
        all.push_back({"", Series(count), Series(count), Series(count)});
      ThreadSeries& thread = all[work.thread];
      if (thread.name.empty()) thread.name = m.threads[work.thread].name;
      const auto cpu = static_cast<double>(work.cpu_ns);
      thread.cpu_ns[p].push_back(cpu);
      if (work.wait_ns >= 0) thread.wait_ns[p].push_back(static_cast<double>(work.wait_ns));
      if (work.switches >= 0) thread.switches[p].push_back(static_cast<double>(work.switches));
      sum += cpu;
      most = std::max(most, cpu);
    }
    if (sum > 0) imbalance[p].push_back(most * threads / sum);
  });
  for (const ThreadSeries& t : all)
    if (const auto cpu = known(t.cpu_ns))
      levels.threads.push_back({t.name, *cpu, known(t.wait_ns), known(t.switches)});
  levels.imbalance = known(imbalance);
}

struct CounterSeries {
  Series values;
  double enabled_ns = 0, running_ns = 0;
};

void tell_counters(const std::vector<ProcessMeasurement>& processes, profile::Levels& levels) {
  std::vector<CounterSeries> all;
  each_run(processes, Mode::kCounter, [&](std::size_t p, const Measurement&, const auto& run) {
    for (const runtime::CounterValue& v : run.counters) {
      while (all.size() <= v.counter) all.push_back({Series(processes.size())});
      CounterSeries& counter = all[v.counter];
      counter.values[p].push_back(static_cast<double>(v.value));
      counter.enabled_ns += static_cast<double>(v.enabled_ns);
      counter.running_ns += static_cast<double>(v.running_ns);
    }
  });
  // Every process lists the same counters.
  for (const ProcessMeasurement& p : processes) {
    if (!levels.counters.empty()) break;
    for (const runtime::CounterInfo& info : p.measurement.counters)
      levels.counters.push_back({info.name, info.unit, info.origin, {}, {}, info.absent});
  }
  for (std::size_t i = 0; i < levels.counters.size(); ++i) {
    profile::Counter& counter = levels.counters[i];
    if (i < all.size()) {
      counter.value = known(all[i].values);
      if (all[i].enabled_ns > 0) counter.running_share = all[i].running_ns / all[i].enabled_ns;
    }
    if (!counter.value && counter.reason.empty())
      counter.reason = "in no run did every thread get one of the processor's counters for it";
  }
}

}  // namespace

std::vector<DeeperCost> deeper_costs(const DeeperProcesses& processes) {
  std::vector<DeeperCost> out;
  for (std::size_t level = 0; level < kDeeperLevels; ++level) {
    const LeveledRuns part = runs_of(processes, &DeeperRuns::part, level),
                      whole = runs_of(processes, &DeeperRuns::whole, level);
    if (part.plain_ns.empty() || whole.plain_ns.empty() || whole.events <= part.events) continue;
    DeeperCost& cost = out.emplace_back();
    cost.level = kLevelOf[level];
    cost.events = whole.events;
    cost.cost = event_cost(part, whole);
    for (const auto& process : processes) {
      auto& walls = cost.walls_ns.emplace_back();
      for (const DeeperPair& pair : process)
        if (const auto& run = pair.runs.whole[level]; run && run->events == whole.events)
          walls.push_back(run->wall_ns);
    }
  }
  return out;
}

std::vector<std::vector<double>> deepest_walls(const DeeperProcesses& processes) {
  std::vector<std::vector<double>> out;
  for (const auto& process : processes) {
    auto& walls = out.emplace_back();
    for (const DeeperPair& pair : process)
      if (pair.runs.deepest_ns) walls.push_back(*pair.runs.deepest_ns);
  }
  return out;
}

void summarize_threads(const std::vector<ProcessMeasurement>& processes, std::uint32_t threads,
                       profile::Levels& levels) {
  tell_threads(processes, threads, levels);
  tell_counters(processes, levels);
}

}  // namespace ridge::measure
