// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/run.h"

#include <algorithm>
#include <utility>

#include "base/version.h"
#include "scenario/loadgen_audit.h"

namespace ridge::evaluation {
namespace {

using scenario::LoadgenMode;
using scenario::LoadgenScenario;
using scenario::Scenario;

/// LoadGen's tests without a limit end by themselves; so long at most.
constexpr std::uint64_t kMaxMs = std::uint64_t{1000} * 60 * 60 * 24 * 7;
constexpr std::int64_t kNanosPerMs = 1'000'000;

Nanos milliseconds(std::uint64_t ms) {
  return Nanos{static_cast<std::int64_t>(std::min(ms, kMaxMs)) * kNanosPerMs};
}

scenario::Kind scenario_kind(LoadgenScenario s) {
  switch (s) {
    case LoadgenScenario::kSingleStream:
      return scenario::Kind::kSingleStream;
    case LoadgenScenario::kMultiStream:
      return scenario::Kind::kMultiStream;
    case LoadgenScenario::kServer:
      return scenario::Kind::kServer;
    case LoadgenScenario::kOffline:
      break;
  }
  return scenario::Kind::kOffline;
}

/// Limits as in issue_query_controller.cc. A server issues all queries that were generated.
void set_limits(const scenario::LoadgenEffective& used, std::uint64_t queries, Scenario& out) {
  out.max_queries = queries;
  if (used.max_query_count > 0 && used.scenario != LoadgenScenario::kOffline)
    out.max_queries = std::min(queries, used.max_query_count);
  const bool stream = used.scenario == LoadgenScenario::kSingleStream ||
                      used.scenario == LoadgenScenario::kMultiStream;
  out.min_queries = stream ? std::min(out.max_queries, used.min_query_count) : out.max_queries;
  out.min_duration = stream ? milliseconds(used.target_duration_ms) : Nanos{};
  out.max_duration = milliseconds(used.max_duration_ms > 0 ? used.max_duration_ms : kMaxMs);
  out.min_duration = std::min(out.min_duration, out.max_duration);
  out.last = scenario::Last::kBeyond;
}

bool ran_out(const MlperfRun& run, const scenario::LoadgenEffective& used,
             const scenario::Load& load) {
  const bool stream = used.scenario == LoadgenScenario::kSingleStream ||
                      used.scenario == LoadgenScenario::kMultiStream;
  if (!stream || load.queries.size() < run.schedule.queries) return false;
  const std::int64_t last = load.queries.back().scheduled_ns - load.begun_ns;
  return load.queries.size() < used.min_query_count ||
         last < milliseconds(used.target_duration_ms).count;
}

void tell_end(const MlperfRun& run, const scenario::LoadgenEffective& used,
              const scenario::Load& load, scenario::LoadgenTest& test) {
  if (!load.failure.empty() || load.canceled) {
    test.end_reason = "Ending early: " + (load.canceled ? std::string("canceled") : load.failure);
    ++test.errors;
  } else if (ran_out(run, used, load)) {
    test.end_reason =
        "Ending early: Ran out of generated queries to issue before the minimum query count and "
        "test duration were reached.";
    ++test.errors;
  } else if (used.scenario != LoadgenScenario::kServer) {
    test.end_reason = "Ending naturally: Minimum query count and test duration met.";
  }
}

}  // namespace

Result<MlperfRun> MlperfRun::make(const scenario::LoadgenSettings& settings,
                                  const BatchedSamples& given, const Scenario& asked) {
  const scenario::SampleCounts counts{given.size(), given.size()};
  MlperfRun out;
  out.settings = settings;
  out.counts = counts;
  out.schedule = TRY(scenario::loadgen_schedule(settings, counts));
  out.batch = given.batch;
  const bool accuracy = settings.mode == LoadgenMode::kAccuracy;
  const bool cut = accuracy || settings.scenario == LoadgenScenario::kOffline;
  const std::uint64_t per_query = cut ? given.batch : out.schedule.samples_per_query;
  out.prepared_inputs = TRY(MlperfInputs::make(given, out.schedule.samples, per_query));
  if (accuracy) return out;
  scenario::LoggedSamples logs(settings, counts);
  for (std::uint64_t at = 0; at < out.schedule.samples.size(); ++at)
    if (logs.next()) out.logged.push_back(at);
  out.scenario = asked;
  Scenario& s = out.scenario;
  s.kind = scenario_kind(settings.scenario);
  s.order = scenario::Order::kListed;
  s.listed = out.prepared_inputs.first();
  s.samples_per_query = out.prepared_inputs.runs();
  set_limits(scenario::effective(settings, counts), s.listed.size(), s);
  if (s.kind == scenario::Kind::kServer) s.arrivals = scenario::Replay{out.schedule.times_ns};
  for (const std::uint64_t at : out.logged)
    if (s.kept.empty() || s.kept.back() != at / given.batch) s.kept.push_back(at / given.batch);
  TRY(scenario::check(s));
  return out;
}

scenario::LoadgenTest MlperfRun::test(const scenario::Load& load) const {
  scenario::LoadgenTest out;
  out.settings = settings;
  out.counts = counts;
  out.writer = "ridge " + std::string(version());
  out.loaded = schedule.loaded;
  out.generated_queries = schedule.queries;
  out.generated_samples_per_query = schedule.samples_per_query;
  out.generated_ns = schedule.duration_ns;
  if (settings.mode == LoadgenMode::kAccuracy) return out;
  const bool offline = settings.scenario == LoadgenScenario::kOffline;
  const std::uint64_t of_query = offline ? batch : schedule.samples_per_query;
  scenario::LoadgenRun& run = out.run;
  run.queries = offline ? std::min<std::size_t>(1, load.queries.size()) : load.queries.size();
  run.sample_latencies_ns.reserve(load.queries.size() * of_query);
  for (const scenario::Query& q : load.queries) {
    run.sample_latencies_ns.insert(run.sample_latencies_ns.end(), of_query, q.latency_ns());
    if (settings.scenario == LoadgenScenario::kMultiStream)
      run.query_latencies_ns.push_back(q.latency_ns());
    out.errors += q.failed;
  }
  // The last batch may have been filled up.
  if (run.sample_latencies_ns.size() > schedule.samples.size())
    run.sample_latencies_ns.resize(schedule.samples.size());
  if (!load.queries.empty()) {
    const scenario::Query& last = load.queries.back();
    const auto seconds = [&](std::int64_t ns) {
      return static_cast<double>(ns - load.begun_ns) / 1e9;
    };
    run.last_scheduled_s = seconds(last.scheduled_ns);
    run.last_issued_s = offline ? 0 : seconds(last.issued_ns);
    run.last_done_s = seconds(offline ? load.ended_ns : last.done_ns);
  }
  tell_end(*this, scenario::effective(settings, counts), load, out);
  return out;
}

}  // namespace ridge::evaluation
