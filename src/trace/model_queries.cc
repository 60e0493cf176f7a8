// A1 and diff: several runs side by side.
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "trace/query_tables.h"

namespace ridge::trace {
namespace {

/// More than this must be gained by doubling a batch (XSP, section III-B).
constexpr double kWorthDoubling = 1.05;

std::string option(const View& run, const char* name) {
  const auto& options = run.profile->subject.options;
  const auto found = options.find(name);
  return found == options.end() ? "" : found->second;
}

std::optional<double> throughput(const View& run) {
  if (!run.latency_ns || *run.latency_ns <= 0) return std::nullopt;
  return static_cast<double>(run.profile->batch) / *run.latency_ns * 1e9;
}

/// Runs of one of these differ in their sizes only.
auto series_of(const View& run) {
  const profile::Subject& s = run.profile->subject;
  return std::tuple(s.graph_hash.empty() ? s.path : s.graph_hash, s.runtime, s.runtime_version,
                    option(run, "threads"), run.profile->host_json);
}

/// Whether doubling the batch of `run` pays; nullopt where it was not measured.
std::optional<bool> doubling_pays(std::span<const View> runs, const View& run) {
  for (const View& other : runs)
    if (series_of(other) == series_of(run) && other.profile->batch == 2 * run.profile->batch)
      if (const auto now = throughput(run), then = throughput(other); now && then)
        return *then > kWorthDoubling * *now;
  return std::nullopt;
}

/// Smallest of its series whose doubling does not pay.
bool optimal(std::span<const View> runs, const View& run) {
  const auto stops = [&](const View& r) { return !doubling_pays(runs, r).value_or(true); };
  if (!stops(run)) return false;
  return std::none_of(runs.begin(), runs.end(), [&](const View& other) {
    return series_of(other) == series_of(run) && other.profile->batch < run.profile->batch &&
           stops(other);
  });
}

/// Sums of one name in two runs.
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
  const auto number = t.column("run"), model = t.column("model", "", "the run does not name one"),
             runtime = t.column("runtime", "", "the run does not name one"),
             batch = t.column("batch"), latency = t.column("latency_ns", "ns", kNoLatency),
             low = t.column("low_ns", "ns", "no interval: not measured here"),
             high = t.column("high_ns", "ns", "no interval: not measured here"),
             items = t.column("items_per_s", "1/s", kNoLatency),
             best = t.column("optimal", "", "no run of twice the batch to compare with");
  for (const View& run : runs) {
    const profile::Profile& p = *run.profile;
    Row& row = t.row();
    row.set(number, static_cast<std::int64_t>(&run - runs.data()) + 1);
    row.set(model, p.subject.path).set(runtime, p.subject.runtime).set(batch, p.batch);
    row.set(latency, run.latency_ns).set(items, throughput(run));
    if (p.latency.ns.median > 0) row.set(low, p.latency.ns.low).set(high, p.latency.ns.high);
    if (doubling_pays(runs, run)) row.set(best, optimal(runs, run) ? "yes" : "no");
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
  t.notes.emplace_back(
      "by name, medians only; 'ridge compare' says by node and with intervals which differences "
      "are shown");
  return t;
}

}  // namespace ridge::trace
