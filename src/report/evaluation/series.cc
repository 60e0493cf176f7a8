// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/series.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ridge::report {
namespace {

using scenario::Query;

constexpr std::int64_t kQueriesPerBin = 5;

/// Position of a moment among `count` bins; what lies outside belongs to the bin at that end.
std::size_t bin_of(std::int64_t ns, std::int64_t width_ns, std::size_t count) {
  const std::int64_t at = ns < 0 ? 0 : ns / width_ns;
  return std::min(static_cast<std::size_t>(at), count - 1);
}

}  // namespace

std::vector<Quantile> quantiles(const scenario::Load& load) {
  std::vector<std::int64_t> ascending;
  for (const Query& q : load.queries)
    if (q.failed == 0) ascending.push_back(q.latency_ns());
  if (ascending.empty()) return {};
  std::ranges::sort(ascending);
  const auto n = static_cast<double>(ascending.size());
  std::vector<Quantile> out;
  std::size_t last = 0;  // rank
  for (std::size_t i = 0; i + 1 < kMaxQuantiles; ++i) {
    const double nines = std::log10(n) * static_cast<double>(i) / (kMaxQuantiles - 1);
    const double share = 1 - std::pow(10, -nines);
    const auto rank = static_cast<std::size_t>(std::clamp(std::ceil(share * n), 1.0, n));
    if (rank == last) continue;
    last = rank;
    out.push_back({static_cast<double>(rank) / n, ascending[rank - 1]});
  }
  if (last != ascending.size()) out.push_back({1, ascending.back()});
  return out;
}

TimeBins time_bins(const scenario::Load& load) {
  TimeBins out;
  const std::int64_t length = load.ended_ns - load.begun_ns;
  if (length <= 0 || load.queries.empty()) return out;
  const std::int64_t count =
      std::clamp<std::int64_t>(std::ssize(load.queries) / kQueriesPerBin, 1, kMaxTimeBins);
  out.width_ns = std::max<std::int64_t>(1, (length + count - 1) / count);
  out.bins.resize(static_cast<std::size_t>(count));
  std::vector<std::vector<std::int64_t>> latencies(out.bins.size());
  for (const Query& q : load.queries) {
    const std::int64_t scheduled = q.scheduled_ns - load.begun_ns;
    out.last_scheduled_ns = std::max(out.last_scheduled_ns, scheduled);
    const std::size_t at = bin_of(scheduled, out.width_ns, out.bins.size());
    TimeBin& bin = out.bins[at];
    if (q.failed == 1) {
      ++bin.failed;
      continue;
    }
    ++bin.queries;
    bin.mean_wait_ns += static_cast<double>(q.issued_ns - q.scheduled_ns);
    bin.mean_run_ns += static_cast<double>(q.done_ns - q.issued_ns);
    latencies[at].push_back(q.latency_ns());
    ++out.bins[bin_of(q.done_ns - load.begun_ns, out.width_ns, out.bins.size())].completed;
  }
  for (std::size_t i = 0; i < out.bins.size(); ++i) {
    TimeBin& bin = out.bins[i];
    std::vector<std::int64_t>& all = latencies[i];
    if (all.empty()) continue;
    std::ranges::sort(all);
    bin.min_ns = all.front();
    bin.median_ns = all[(all.size() - 1) / 2];
    bin.max_ns = all.back();
    bin.mean_wait_ns /= static_cast<double>(all.size());
    bin.mean_run_ns /= static_cast<double>(all.size());
  }
  return out;
}

std::array<std::int64_t, 32> lateness_bins(const scenario::Load& load) {
  std::array<std::int64_t, 32> out{};
  for (const Query& q : load.queries)
    ++out[q.late_ns < 2 ? 0 : static_cast<std::size_t>(std::bit_width(q.late_ns) - 1)];
  return out;
}

}  // namespace ridge::report
