// SPDX-License-Identifier: Apache-2.0
#include "evaluation/load/load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/load/query_log.h"
#include "runtime/runtime.h"

namespace ridge::evaluation {
namespace {

Result<scenario::Load> load_of(const runtime::LoadResult& result, const runtime::QueryLog& log) {
  scenario::Load load{.queries = TRY(log.queries()),
                      .begun_ns = result.begun_ns,
                      .ended_ns = result.ended_ns,
                      .measured_ns = result.measured_ns,
                      .abandoned = result.abandoned,
                      .canceled = result.canceled,
                      .failure = {}};
  if (result.failure) load.failure = result.failure->summary();
  if (result.log_full) load.failure = "it has more queries than its record has room for";
  // The process ended before it said when the load did.
  if (load.begun_ns == 0 && !load.queries.empty()) {
    load.begun_ns = load.queries.front().scheduled_ns;
    for (const scenario::Query& q : load.queries)
      load.ended_ns = std::max(load.ended_ns, q.done_ns);
    const auto first = std::ranges::find(
        load.queries, 0U, [](const scenario::Query& q) { return std::uint32_t{q.warmup}; });
    load.measured_ns = first != load.queries.end() ? first->scheduled_ns : load.ended_ns;
  }
  return load;
}

/// Queries of a warm-up whose rate is not known, at most.
constexpr std::uint64_t kMaxWarmup = std::uint64_t{1} << 24;

/// Most queries that a load can have. The record takes memory as they come.
std::uint64_t room_for(const scenario::Scenario& s) {
  const std::uint64_t measured =
      s.min_duration.count == 0 ? std::max<std::uint64_t>(1, s.min_queries) : s.max_queries;
  std::uint64_t warmup = s.warmup_queries;
  if (s.warmup_duration.count > 0) {
    const double seconds = static_cast<double>(s.warmup_duration.count) * 1e-9;
    const double expected = 2 * seconds * mean_rate(s.arrivals) + 1000;
    const bool known = s.kind == scenario::Kind::kServer && expected < kMaxWarmup;
    warmup += known ? static_cast<std::uint64_t>(expected) : kMaxWarmup;
  }
  return measured + warmup;
}

}  // namespace

Result<scenario::Load> LoadRunner::run(const scenario::Scenario& scenario) {
  const runtime::QueryLog log = TRY(runtime::QueryLog::make(room_for(scenario), scenario.workers));
  const std::string what = fmt::format("{} in {}", word(scenario.kind), runtime_);
  runtime::LoadResult result = TRY(started_.runtime.generate(
      started_.session, scenario, log,
      [&](std::uint64_t done) {
        if (environment_.progress == nullptr) return;
        const std::string queries = counted(static_cast<std::int64_t>(done), "query");
        environment_.progress->show(fmt::format("{}: {}", what, queries), 0, 0);
      },
      others_));
  environment_.hide_progress();
  kept_ = std::move(result.kept);
  return load_of(result, log);
}

}  // namespace ridge::evaluation
