// SPDX-License-Identifier: Apache-2.0
// Queries counters, levels and threads: data of the levels below the layers, and the overhead of
// each level.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

using stats::Estimate;

constexpr std::string_view kUnsaid = "the system does not say";

/// Three adjacent columns: an estimate and both ends of its interval.
class EstimateColumns {
 public:
  EstimateColumns(Table& t, const std::string& name, std::string_view unit,
                  std::string_view if_null)
      : median_(t.column(name + (unit == "ns" ? "_ns" : ""), unit, if_null)),
        low_(t.column(name + "_low" + (unit == "ns" ? "_ns" : ""), unit, if_null)),
        high_(t.column(name + "_high" + (unit == "ns" ? "_ns" : ""), unit, if_null)) {}

  void set(Row& row, const std::optional<Estimate>& e) const {
    if (!e) return;
    put(row, median_, e->value);
    put(row, low_, e->low());
    put(row, high_, e->high());
  }

 private:
  static void put(Row& row, std::size_t column, double value) {
    if (std::isfinite(value)) row.set(column, value);
  }
  std::size_t median_, low_, high_;
};

/// Number of events of the runtime's profiler in one run.
double layer_events(const profile::Profile& p) {
  double events = 0;
  for (const profile::Layer& l : p.layers)
    events += static_cast<double>(l.executions) * static_cast<double>(l.kernels.size());
  return events;
}

}  // namespace

Table counters(const View& run) {
  Table t;
  const auto name = t.column("counter");
  const EstimateColumns value(t, "value", "", "see reason");
  const auto unit = t.column("unit"), origin = t.column("origin"),
             share = t.column("running_share", "1", "the whole time, or nobody counts"),
             reason = t.column("reason");
  for (const profile::Counter& c : run.profile->levels.counters) {
    Row& row = t.row().set(name, c.name).set(unit, c.unit).set(origin, c.origin);
    value.set(row, c.value);
    row.set(share, c.running_share).set(reason, c.reason);
  }
  t.notes.emplace_back(
      "of a run of the model, all threads together: medians over runs that carried the counters "
      "and no other level; a running share below 100 % scales the value");
  return t;
}

Table level_costs(const View& run) {
  const profile::Profile& p = *run.profile;
  Table t;
  const auto level = t.column("level"), runs = t.column("runs"),
             events = t.column("events", "", "a run without levels has none");
  const EstimateColumns latency(t, "latency", "ns", "not measured"),
      event(t, "event_cost", "ns", "not of this row"),
      fixed(t, "fixed_cost", "ns", "not of this row"),
      predicted(t, "predicted", "ns", "not of this row");
  std::size_t samples = 0;
  for (const profile::Process& process : p.latency.processes) samples += process.samples_ns.size();
  const auto count = static_cast<std::int64_t>(samples);
  latency.set(t.row().set(level, "model").set(runs, count), p.latency.ns);
  Row& layer = t.row().set(level, "layer").set(runs, count).set(events, layer_events(p));
  latency.set(layer, p.profiling.profiled_latency_ns);
  event.set(layer, p.profiling.event_cost);
  fixed.set(layer, p.profiling.fixed_cost);
  predicted.set(layer, p.profiling.predicted_profiled_ns);
  for (const profile::LevelCost& c : p.levels.costs) {
    Row& row = t.row().set(level, profile::name(c.level)).set(runs, c.runs).set(events, c.events);
    latency.set(row, c.latency_ns);
    event.set(row, c.event_cost);
    fixed.set(row, c.fixed_cost);
  }
  if (p.levels.deepest_ns) {
    Row& row = t.row().set(level, "all");
    latency.set(row, p.levels.deepest_ns);
    predicted.set(row, p.levels.predicted_deepest_ns);
  }
  t.notes.emplace_back(
      "library comes with layer: both are the runtime's own events. predicted = plain run + for "
      "each level events * event cost + fixed cost; where it misses the latency as measured, an "
      "event costs in this model what it does not cost where its cost was measured");
  return t;
}

Table thread_balance(const View& run) {
  const profile::Levels& levels = run.profile->levels;
  Table t;
  const auto thread = t.column("thread"), name = t.column("name");
  const EstimateColumns cpu(t, "cpu", "ns", "");
  const auto share = t.column("share", "1", "no thread used a processor");
  const EstimateColumns wait(t, "wait", "ns", kUnsaid), switches(t, "switches", "", kUnsaid);
  double sum = 0;
  for (const profile::ThreadWork& w : levels.threads) sum += w.cpu_ns.value;
  for (std::size_t i = 0; i < levels.threads.size(); ++i) {
    const profile::ThreadWork& w = levels.threads[i];
    Row& row = t.row().set(thread, i == 0 ? "caller" : fmt::format("worker {}", i));
    row.set(name, w.name).set(share, share_of(w.cpu_ns.value, sum));
    cpu.set(row, w.cpu_ns);
    wait.set(row, w.wait_ns);
    switches.set(row, w.switches);
  }
  if (levels.imbalance)
    t.notes.push_back(fmt::format(
        "imbalance {:.3f} [{:.3f}, {:.3f}]: processor time of the busiest thread over the mean of "
        "as many threads as the runtime was given; 1 is even",
        levels.imbalance->value, levels.imbalance->low(), levels.imbalance->high()));
  t.notes.emplace_back(
      "of a run of the model; a thread that spins while it waits uses its processor, and counts as "
      "busy");
  return t;
}

}  // namespace ridge::trace
