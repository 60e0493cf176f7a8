#include "workbench/evaluation_load.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/query_log.h"
#include "runtime/runtime.h"

namespace ridge::workbench {
namespace {

scenario::Load load_of(const runtime::LoadResult& result, const runtime::QueryLog& log) {
  scenario::Load load{.queries = log.queries(),
                      .begun_ns = result.begun_ns,
                      .ended_ns = result.ended_ns,
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
  }
  return load;
}

}  // namespace

Result<scenario::Load> LoadRunner::run(const scenario::Scenario& scenario) {
  const runtime::QueryLog log = TRY(runtime::QueryLog::make(scenario.most_queries, scenario.lanes));
  const std::string what = fmt::format("{} in {}", name(scenario.kind), runtime_);
  runtime::LoadResult result =
      TRY(started_.runtime.generate(started_.session, scenario, log, [&](std::uint64_t done) {
        if (environment_.progress == nullptr) return;
        const std::string queries = counted(static_cast<std::int64_t>(done), "query");
        environment_.progress->show(fmt::format("{}: {}", what, queries), 0, 0);
      }));
  environment_.hide_progress();
  kept_ = std::move(result.kept);
  return load_of(result, log);
}

}  // namespace ridge::workbench
