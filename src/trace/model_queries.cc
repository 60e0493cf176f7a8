// SPDX-License-Identifier: Apache-2.0
// Queries A1 and diff: several runs side by side.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

/// Ratio of throughputs above which doubling the batch pays (XSP, section III-B).
constexpr double kWorthDoubling = 1.05;

std::optional<double> throughput(const View& run) {
  if (!run.latency_ns || *run.latency_ns <= 0) return std::nullopt;
  return static_cast<double>(run.profile->batch) / *run.latency_ns * 1e9;
}

/// Key of a series: the runs of a series differ in their sizes only.
auto series_of(const View& run) {
  const profile::Subject& s = run.profile->subject;
  return std::tuple(s.graph_hash.empty() ? s.path : s.graph_hash, s.runtime, s.runtime_version,
                    s.threads, run.profile->host_json);
}

/// Per run: "yes" for the smallest batch of its series whose doubling does not pay, "no" for
/// others; nullopt where no run of twice the batch was measured.
///
/// Example: batches 1, 2 and 4 take 100, 150 and 290 ns, which is 10, 13.3 and 13.8 million
/// items/s. Doubling batch 1 gains 33 %: "no". Doubling batch 2 gains 3 %, at most 5 %: "yes".
/// Batch 8 was not measured: nullopt for batch 4.
std::vector<std::optional<std::string_view>> optimal_batches(std::span<const View> runs) {
  std::map<decltype(series_of(runs[0])), std::map<std::int64_t, std::vector<std::size_t>>> series;
  for (std::size_t i = 0; i < runs.size(); ++i)
    series[series_of(runs[i])][runs[i].profile->batch].push_back(i);
  std::vector<std::optional<std::string_view>> out(runs.size());
  for (const auto& [key, batches] : series) {
    bool found = false;
    for (const auto& [batch, of_batch] : batches) {
      const auto twice = batch <= INT64_MAX / 2 ? batches.find(2 * batch) : batches.end();
      const auto then = twice == batches.end() ? std::nullopt : throughput(runs[twice->second[0]]);
      bool stops = false;
      for (const std::size_t i : of_batch) {
        const auto now = throughput(runs[i]);
        if (!now || !then) continue;
        const bool pays = *then > kWorthDoubling * *now;
        out[i] = pays || found ? "no" : "yes";
        stops |= !pays;
      }
      found |= stops;
    }
  }
  return out;
}

/// Name of a run in a note: "run 3 (2 threads)", or `place` ("the first") for a run without a
/// number.
std::string run_text(const View& run, std::string_view place) {
  std::string out = run.number > 0 ? fmt::format("run {}", run.number) : std::string(place);
  return run.label.empty() ? out : out + " (" + run.label + ")";
}

/// Count and time of one name in two runs.
struct Both {
  std::array<double, 2> count{}, time_ns{};
};
using ByName = std::map<std::string, Both>;

void add_rows(const ByName& names, std::string_view level, Table& t) {
  const auto difference = [](const Both& b) { return b.time_ns[1] - b.time_ns[0]; };
  std::vector<const ByName::value_type*> order;
  for (const auto& entry : names) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return std::abs(difference(a->second)) > std::abs(difference(b->second));
  });
  for (const auto* entry : order) {
    const Both& b = entry->second;
    Row& row = t.row();
    row.set(0, level).set(1, entry->first);
    row.set(2, b.count[0]).set(3, b.count[1]);
    if (b.count[0] > 0) row.set(4, b.time_ns[0]);
    if (b.count[1] > 0) row.set(5, b.time_ns[1]);
    row.set(6, difference(b));
    if (b.count[0] > 0 && b.count[1] > 0) row.set(7, share_of(b.time_ns[1], b.time_ns[0]));
  }
}

}  // namespace

Table model_information(std::span<const View> runs) {
  constexpr std::string_view kNoLatency =
      "the run has neither a latency nor spans of level model that last";
  Table t;
  const RunColumns names(runs, t);
  const auto model = t.column("model", "", "the run does not name one"),
             runtime = t.column("runtime", "", "the run does not name one"),
             batch = t.column("batch"), latency = t.column("latency_ns", "ns", kNoLatency),
             low = t.column("low_ns", "ns", "no interval: not measured here"),
             high = t.column("high_ns", "ns", "no interval: not measured here"),
             items = t.column("items_per_s", "1/s", kNoLatency),
             best = t.column("optimal", "", "no run of twice the batch to compare with");
  const auto optimal_runs = optimal_batches(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const View& run = runs[i];
    const profile::Profile& p = *run.profile;
    Row& row = t.row();
    names.set(row, i);
    row.set(model, p.subject.path).set(runtime, p.subject.runtime).set(batch, p.batch);
    row.set(latency, run.latency_ns).set(items, throughput(run));
    if (p.latency.ns.value > 0) row.set(low, p.latency.ns.low()).set(high, p.latency.ns.high());
    row.set(best, optimal_runs[i]);
  }
  t.notes.emplace_back(
      "optimal: the smallest batch whose doubling adds at most 5 % to the throughput");
  return t;
}

Table run_differences(std::span<const View> runs) {
  Table t;
  t.column("level");
  t.column("name", "", "the runtime gives it none");
  t.column("count_a");
  t.column("count_b");
  t.column("time_a_ns", "ns", "not in A");
  t.column("time_b_ns", "ns", "not in B");
  t.column("difference_ns", "ns");
  t.column("ratio", "", "in one of the runs only");
  ByName model, layers, types, kernels;
  for (std::size_t i = 0; i < 2; ++i) {
    const View& run = runs[i];
    const auto add = [i](Both& both, double count, double ns) {
      both.count[i] += count;
      both.time_ns[i] += ns;
    };
    if (run.latency_ns) add(model["latency"], 1, *run.latency_ns);
    for (const LayerRow& l : run.layers) {
      add(layers[l.name], 1, l.time_ns);
      if (!l.type.empty()) add(types[l.type], 1, l.time_ns);
    }
    for (const KernelRow& k : run.kernels) add(kernels[k.name], k.count, k.time_ns);
  }
  add_rows(model, "model", t);
  add_rows(types, "layer type", t);
  add_rows(layers, "layer", t);
  add_rows(kernels, "kernel", t);
  if (!runs[0].label.empty() || !runs[1].label.empty())
    t.notes.push_back(fmt::format("a is {}, b is {}", run_text(runs[0], "the first"),
                                  run_text(runs[1], "the second")));
  t.notes.emplace_back(
      "by name, medians only; 'ridge compare' says by node and with intervals which differences "
      "are shown");
  return t;
}

}  // namespace ridge::trace
