// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "evaluation/record/document.h"
#include "scenario/evaluation.h"
#include "stats/block_figures.h"
#include "stats/change.h"

namespace ridge::lab {
namespace {

using evaluation::EvaluatedPoint;
using stats::Estimate;

constexpr double kConfidence = 0.95;

/// Runs of one batch, whose processes are the blocks of one sample.
struct Pool {
  std::vector<std::vector<double>> processes_ns;
  std::int64_t runs = 0;
};

/// a / estimate: the ends change places.
Estimate inverse(double a, const Estimate& of) {
  Estimate out{.value = a / of.value, .interval = {}, .samples = of.samples};
  if (of.interval) out.interval = stats::finite_interval(a / of.interval->hi, a / of.interval->lo);
  return out;
}

Estimate median_of(const Pool& pool) {
  const stats::BlockMedian median(pool.processes_ns);
  return {.value = median.value(),
          .interval = stats::time_interval(pool.processes_ns, kConfidence),
          .samples = static_cast<std::int64_t>(median.size())};
}

void set_setting(const KeyFacts& facts, const std::vector<Key>& keys, GridCell& cell) {
  cell.host = fact(facts, Key::kHost);
  cell.setting = setting_text(facts, keys);
}

/// The runs of the newest run's setting, by their batch; the others are left out.
std::map<std::int64_t, Pool> newest_setting(const std::vector<Key>& keys, DraftCell& draft) {
  const MeasuredRun& newest = **std::ranges::max_element(
      draft.runs, {}, [](const MeasuredRun* r) { return std::tuple(r->recorded_s, r->id); });
  std::map<std::int64_t, Pool> out;
  for (const MeasuredRun* run : draft.runs) {
    if (run->setting_key != newest.setting_key) {
      ++draft.cell.left_out;
      continue;
    }
    Pool& pool = out[run->batch];
    ++pool.runs;
    std::ranges::copy(run->processes_ns, std::back_inserter(pool.processes_ns));
  }
  set_setting(newest.facts, keys, draft.cell);
  draft.cell.recorded_s = newest.recorded_s;
  draft.cell.params = newest.params;
  return out;
}

void add_runs(const std::vector<Key>& keys, DraftCell& draft) {
  GridCell& cell = draft.cell;
  std::map<std::int64_t, Pool> pools = newest_setting(keys, draft);
  for (const auto& [batch, pool] : pools) {
    const Estimate rate = inverse(static_cast<double>(batch) * 1e9, median_of(pool));
    const auto processes = static_cast<std::int64_t>(pool.processes_ns.size());
    cell.batches.push_back({batch, rate, pool.runs, processes});
    cell.runs += pool.runs;
    cell.processes += processes;
    for (const std::vector<double>& process : pool.processes_ns)
      cell.samples += static_cast<std::int64_t>(process.size());
    if (!std::isfinite(rate.value) || rate.value <= cell.items_per_s.value) continue;
    cell.items_per_s = rate;
    cell.items_batch = batch;
  }
  cell.latency_batch = pools.begin()->first;
  const Pool& least = pools.begin()->second;
  cell.median_ns = median_of(least);
  cell.trimmed_mean_ns = stats::block_trimmed_mean(least.processes_ns);
  cell.p90_ns = stats::block_quantile(least.processes_ns, 0.9);
  draft.latencies_ns = std::move(pools.begin()->second.processes_ns);
}

/// A percentile of a document.
Estimate percentile_of(const scenario::LatencySummary& latency, double share) {
  const auto at = std::ranges::find(latency.percentiles, share, &scenario::Percentile::share);
  if (at == latency.percentiles.end() || at->value_ns == 0) return unknown_estimate();
  return {.value = static_cast<double>(at->value_ns), .interval = at->interval, .samples = 0};
}

void add_accuracy(const EvaluatedPoint& point, GridCell& cell) {
  if (!point.accuracy || point.accuracy->metrics.empty()) return;
  const auto& metrics = point.accuracy->metrics;
  const auto top1 = std::ranges::find(metrics, "top1", &evaluation::NamedFigure::metric);
  const evaluation::NamedFigure& shown = top1 == metrics.end() ? metrics.front() : *top1;
  cell.accuracy_metric = shown.metric;
  cell.accuracy = {.value = shown.figure.value,
                   .interval = shown.figure.interval,
                   .samples = shown.figure.samples};
}

void add_times(const EvaluatedPoint& point, GridCell& cell) {
  const scenario::LatencySummary& latency = point.figures.latency;
  cell.median_ns = percentile_of(latency, 0.5);
  cell.p90_ns = percentile_of(latency, 0.9);
  if (std::isnan(cell.median_ns.value)) return;  // no query was answered
  cell.trimmed_mean_ns.value = latency.trimmed_mean_ns;
  const scenario::Rate& rate = point.figures.samples;
  if (rate.per_s > 0) cell.items_per_s = {rate.per_s, rate.interval, 0};
}

Result<void> add_evaluations(const store::Store& store, const std::vector<Key>& keys,
                             DraftCell& draft) {
  GridCell& cell = draft.cell;
  cell.evaluations = std::ssize(draft.evaluations);
  const bool any_scenario = std::ranges::find(keys, Key::kScenario) != keys.end();
  bool times = cell.runs > 0;
  for (auto at = draft.evaluations.rbegin(); at != draft.evaluations.rend(); ++at) {
    const MeasuredEvaluation& one = **at;
    const bool gives_times = !times && (any_scenario || fact(one.facts, Key::kScenario) ==
                                                            word(scenario::Kind::kSingleStream));
    if (!gives_times && !cell.accuracy_metric.empty()) continue;
    const profile::EvaluationRecord record = TRY(store.evaluation(one.id));
    Result<evaluation::Evaluation> read = evaluation::read_evaluation(record.document);
    if (!read.ok())
      return std::move(read).error().in(fmt::format("evaluation:{}", one.id)).in_file(store.path());
    if (read->points.empty()) continue;
    const EvaluatedPoint& point = read->points.front();
    if (cell.accuracy_metric.empty()) add_accuracy(point, cell);
    cell.recorded_s = std::max(cell.recorded_s, one.recorded_s);
    if (cell.setting.empty()) set_setting(one.facts, keys, cell);
    if (!gives_times || !point.under_load) continue;
    add_times(point, cell);
    times = !std::isnan(cell.median_ns.value);
    if (!times) continue;
    set_setting(one.facts, keys, cell);
    cell.validity = record.validity;
  }
  return {};
}

}  // namespace

Result<void> fill(const store::Store& store, const std::vector<Key>& keys, DraftCell& draft) {
  if (!draft.runs.empty()) add_runs(keys, draft);
  return add_evaluations(store, keys, draft);
}

Estimate speed_up(const DraftCell& draft, const DraftCell& base) {
  if (draft.latencies_ns.empty() || base.latencies_ns.empty() ||
      draft.cell.latency_batch != base.cell.latency_batch)
    return unknown_estimate();
  const stats::Change change(draft.latencies_ns, base.latencies_ns, stats::Runs::kApart);
  return {.value = change.ratio(),
          .interval = change.ratio_interval(kConfidence),
          .samples = static_cast<std::int64_t>(change.size())};
}

Estimate cost_per_million(const GridCell& cell, double price_per_hour) {
  if (std::isnan(cell.items_per_s.value)) return unknown_estimate();
  return inverse(price_per_hour / 3600 * 1e6, cell.items_per_s);
}

}  // namespace ridge::lab
