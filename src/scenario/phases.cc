// SPDX-License-Identifier: Apache-2.0
#include "scenario/phases.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "stats/warmup.h"

namespace ridge::scenario {
namespace {

/// Points of the series in which a warm-up is looked for, each the median of a part of the queries.
constexpr std::size_t kPoints = 200;
constexpr std::size_t kMinPoints = 20;
/// Relative difference that counts: more than a change of frequency.
constexpr double kTolerance = 0.05;

double median(std::span<std::int64_t> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return static_cast<double>(*middle);
}

}  // namespace

Phases phases_of(std::span<const Query> queries, std::int64_t begun_ns, std::int64_t measured_ns,
                 std::int64_t ended_ns) {
  Phases out{.measured_ns = std::max<std::int64_t>(0, measured_ns - begun_ns),
             .drained_ns = std::max<std::int64_t>(0, ended_ns - begun_ns)};
  if (!queries.empty()) out.last_scheduled_ns = queries.back().scheduled_ns - begun_ns;
  for (const Query& q : queries) out.warmup_queries += q.warmup;
  return out;
}

BatchCounts batch_counts(std::span<const Query> queries) {
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  runs.reserve(queries.size());
  for (const Query& q : queries) runs.emplace_back(q.issued_ns, q.done_ns);
  std::ranges::sort(runs);
  BatchCounts out;
  std::int64_t batches = 0;
  for (std::size_t i = 0; i < runs.size(); ++batches) {
    const std::size_t first = i;
    while (i < runs.size() && runs[i] == runs[first]) ++i;
    const auto size = static_cast<std::uint32_t>(i - first);
    ++out.counts[size];
    out.most = std::max(out.most, size);
  }
  if (batches > 0) out.mean = static_cast<double>(runs.size()) / static_cast<double>(batches);
  return out;
}

std::optional<Warming> warming_of(std::span<const Query> queries) {
  const std::size_t points = std::min(kPoints, queries.size());
  if (points < kMinPoints) return std::nullopt;
  const auto begin_of = [&](std::size_t point) { return point * queries.size() / points; };
  std::vector<double> series;
  std::vector<std::int64_t> part;
  for (std::size_t p = 0; p < points; ++p) {
    part.clear();
    for (const Query& q : queries.subspan(begin_of(p), begin_of(p + 1) - begin_of(p)))
      part.push_back(q.done_ns - q.issued_ns);
    series.push_back(median(part));
  }
  const stats::Warmup w = stats::detect_warmup(series, {.tolerance = kTolerance});
  if (w.verdict != stats::SteadyState::kWarmup || w.drop == 0) return std::nullopt;
  const std::size_t first = begin_of(w.drop);
  return Warming{static_cast<std::int64_t>(first),
                 queries[first].scheduled_ns - queries[0].scheduled_ns};
}

}  // namespace ridge::scenario
