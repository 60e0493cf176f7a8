// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "evaluation/mlperf/outputs.h"
#include "evaluation/mlperf/run.h"
#include "scenario/loadgen_logs.h"

namespace ridge::evaluation {
namespace {

using scenario::LoadgenMode;
using scenario::LoadgenSettings;

/// Bits of scenario::Query::sample.
/// Sets whose outputs are fetched together.
constexpr std::uint32_t kFetchedTogether = 256;

Result<void> make_log_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return environment_error("RIDGE-WB-0134", "cannot create the folder of the logs")
      .evidence(failed.message())
      .in_file(folder);
}

/// A moment of the monotonic clock in coordinated universal time, of milliseconds.
struct TimeOfDay {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::milliseconds> time;

  explicit TimeOfDay(std::int64_t monotonic_ns) {
    namespace chrono = std::chrono;
    const chrono::nanoseconds ago(steady_clock().now().count - monotonic_ns);
    const auto then = chrono::floor<chrono::milliseconds>(chrono::system_clock::now() - ago);
    const auto day = chrono::floor<chrono::days>(then);
    date = chrono::year_month_day(day);
    time = chrono::hh_mm_ss<chrono::milliseconds>(then - day);
  }
  std::string clock() const {
    return fmt::format("{:02}:{:02}:{:02}", time.hours().count(), time.minutes().count(),
                       time.seconds().count());
  }
  /// 2026-11-26T13:27:29Z
  std::string iso() const {
    return fmt::format("{:04}-{:02}-{:02}T{}Z", int{date.year()}, unsigned{date.month()},
                       unsigned{date.day()}, clock());
  }
  /// 11-26-2026 13:27:29.292
  std::string for_power() const {
    return fmt::format("{:02}-{:02}-{:04} {}.{:03}", unsigned{date.month()}, unsigned{date.day()},
                       int{date.year()}, clock(), time.subseconds().count());
  }
};

/// A run and what LoadGen makes of it.
struct Performed {
  scenario::LoadgenResult result;
  std::vector<std::string> reasons;  ///< if it is not valid
  scenario::Scenario scenario;
  scenario::Load load;
  LoggedOutputs outputs;  ///< compared with accuracy mode
};

class MlperfTest {
 public:
  explicit MlperfTest(const MlperfTarget& target) : target_(target) {}

  std::uint64_t samples() const { return target_.given.size(); }
  const EvaluationData* data() const { return target_.data; }
  /// A performance run. `expected`: outputs to compare those logged with; may be null.
  Result<Performed> perform(const LoadgenSettings& settings, const scenario::Scenario& asked,
                            const std::string& folder, const OutputLog* expected);
  /// Accuracy mode; its outputs go into `log`.
  Result<void> judge(LoadgenSettings settings, const std::string& folder, OutputLog& log);

 private:
  Result<MlperfRun> prepare(const LoadgenSettings& settings, const scenario::Scenario& asked,
                            const std::string& folder) {
    TRY(make_log_folder(folder));
    MlperfRun run = TRY(MlperfRun::make(settings, target_.given, asked));
    // Sets that are there already may have sessions for batches of them.
    if (!run.prepared_inputs.as_given() || other_sets_)
      TRY(target_.runtime.set_samples(target_.session, run.prepared_inputs.sets(),
                                      run.prepared_inputs.memory(target_.given)));
    other_sets_ = !run.prepared_inputs.as_given();
    return run;
  }
  struct When {
    std::int64_t begun_ns = 0, ended_ns = 0;
  };
  Result<void> write(scenario::LoadgenTest& test, const scenario::LoadgenResult& result,
                     const When& when, const std::string& folder);
  Result<void> log_kept(const MlperfRun& run, OutputLog& log);

  const MlperfTarget& target_;
  bool other_sets_ = false;  // the session has other sets than those given
};

Result<void> MlperfTest::write(scenario::LoadgenTest& test, const scenario::LoadgenResult& result,
                               const When& when, const std::string& folder) {
  test.sut_name = target_.system;
  test.qsl_name = target_.data_set;
  test.date_time = TimeOfDay(when.begun_ns).iso();
  test.began = TimeOfDay(when.begun_ns).for_power();
  test.ended = TimeOfDay(when.ended_ns).for_power();
  StringSink summary, detail;
  scenario::write_loadgen_summary(test, result, summary);
  scenario::write_loadgen_detail(test, result, detail);
  TRY(write_file(folder + "/mlperf_log_summary.txt", summary.text()));
  return write_file(folder + "/mlperf_log_detail.txt", detail.text());
}

/// Writes the outputs that were kept to the log, in the order of issue.
Result<void> MlperfTest::log_kept(const MlperfRun& run, OutputLog& log) {
  std::unordered_map<std::uint64_t, runtime::Outputs> kept;
  for (runtime::KeptOutputs& k : target_.runner.take_kept())
    kept.emplace(k.run, std::move(k.outputs));
  for (const std::uint64_t at : run.logged) {
    const auto found = kept.find(at / run.batch);
    if (found == kept.end()) continue;  // the test ended before it
    const std::uint32_t sample = run.schedule.samples[static_cast<std::size_t>(at)];
    TRY(log.add(at, sample, {found->second, run.batch, at % run.batch}));
  }
  return {};
}

Result<Performed> MlperfTest::perform(const LoadgenSettings& settings,
                                      const scenario::Scenario& asked, const std::string& folder,
                                      const OutputLog* expected) {
  MlperfRun run = TRY(prepare(settings, asked, folder));
  Performed out;
  out.load = TRY(target_.runner.run(run.scenario));
  scenario::LoadgenTest test = run.test(out.load);
  out.result = scenario::loadgen_result(settings, run.counts, test.run);
  TRY(write(test, out.result, {out.load.begun_ns, out.load.ended_ns}, folder));
  out.reasons = reasons_of(out.result, test);
  OutputLog log(target_.data);
  TRY(log_kept(run, log));
  if (expected != nullptr) out.outputs = log.difference(*expected);
  TRY(log.write(folder + "/mlperf_log_accuracy.json"));
  for (scenario::Query& q : out.load.queries)
    q.sample = run.prepared_inputs.sample_of(q.sample) & scenario::Query::kSampleBits;
  out.scenario = std::move(run.scenario);
  out.scenario.listed.clear();
  out.scenario.kept.clear();
  out.scenario.order = scenario::Order::kRandom;
  out.scenario.arrivals = scenario::Poisson{.rate = settings.server_target_qps};
  return out;
}

Result<void> MlperfTest::judge(LoadgenSettings settings, const std::string& folder,
                               OutputLog& log) {
  settings.mode = LoadgenMode::kAccuracy;
  settings.scenario = scenario::LoadgenScenario::kOffline;
  const std::int64_t begun_ns = steady_clock().now().count;
  const MlperfRun run = TRY(prepare(settings, {}, folder));
  // Queries are cut into sets, and sets recur where samples do.
  const std::uint64_t batch = run.batch;
  std::vector<std::uint64_t> of_set(run.prepared_inputs.sets().size());
  for (std::uint64_t q = 0; q < run.prepared_inputs.first().size(); ++q)
    of_set[run.prepared_inputs.first()[q]] = q;
  const std::vector<std::uint32_t>& samples = run.schedule.samples;
  const auto sets = static_cast<std::uint32_t>(run.prepared_inputs.sets().size());
  for (std::uint32_t first = 0; first < sets; first += kFetchedTogether) {
    const std::uint32_t count = std::min(kFetchedTogether, sets - first);
    const std::vector<runtime::Outputs> outputs =
        TRY(target_.runtime.outputs_of(target_.session, first, count));
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint64_t row = 0; row < batch; ++row)
        if (const std::uint64_t at = of_set[first + i] * batch + row; at < samples.size())
          TRY(log.add(at, samples[static_cast<std::size_t>(at)], {outputs[i], batch, row}));
  }
  scenario::LoadgenTest test = run.test({});
  TRY(write(test, {}, {begun_ns, steady_clock().now().count}, folder));
  return log.write(folder + "/mlperf_log_accuracy.json");
}

Result<AuditVerdict> audit(const MlperfRequest& request, const MlperfSubject& subject,
                           const LoadgenSettings& settings, const Performed& first,
                           MlperfTest& test) {
  OutputLog expected(test.data());
  const bool outputs = request.audit == Audit::kTest01;
  if (outputs) TRY(test.judge(settings, request.logs + "/accuracy", expected));
  const LoadgenSettings again = audited(settings, request.audit, test.samples());
  const Performed second =
      TRY(test.perform(again, subject.scenario, request.logs + (outputs ? "/TEST01" : "/TEST04"),
                       outputs ? &expected : nullptr));
  return judge_audit({.audit = request.audit,
                      .scenario = settings.scenario,
                      .first = first.result,
                      .second = second.result,
                      .outputs = second.outputs});
}

}  // namespace

Result<MlperfDone> evaluate_mlperf(const MlperfRequest& request, const MlperfSubject& subject,
                                   const MlperfSettings& asked, const MlperfTarget& target) {
  MlperfDone out;
  out.figures.folder = request.logs;
  out.figures.notes = asked.notes;
  MlperfTest test(target);
  if (!subject.load) {
    OutputLog log(target.data);
    TRY(test.judge(asked.settings, request.logs, log));
    return out;
  }
  Performed first = TRY(test.perform(asked.settings, subject.scenario, request.logs, nullptr));
  out.figures.valid = first.result.valid;
  out.figures.reasons = std::move(first.reasons);
  if (request.audit != Audit::kNone && first.load.failure.empty() && !first.load.canceled)
    out.figures.audit = TRY(audit(request, subject, asked.settings, first, test));
  out.scenario = std::move(first.scenario);
  out.load = std::move(first.load);
  return out;
}

}  // namespace ridge::evaluation
