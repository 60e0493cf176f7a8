// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/verb.h"

#include <algorithm>
#include <memory>

#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/eval/files.h"
#include "cli/verbs/eval/locked.h"
#include "cli/verbs/eval/tables.h"
#include "cli/verbs/point_list.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "evaluation/run/listing.h"
#include "session/run_recorder.h"

namespace ridge::cli {
namespace {

using evaluation::EvaluatedPoint;
using evaluation::Evaluation;

evaluation::EvaluationKeeping keeping_of(const EvalOptions& options,
                                         std::optional<session::RunRecorder>& recorder,
                                         const std::optional<manifest::Lock>& locked) {
  using evaluation::DifferentContent;
  const bool with_queries =
      !(options.queries.empty() && options.trace.empty() && options.report.empty() &&
        options.mlperf.logs.empty() && options.outputs.empty() && options.shown_answers == 0);
  return {.store = recorder ? &recorder->store() : nullptr,
          .locked = locked ? &*locked : nullptr,
          .different = options.keeping.allow_differences ? DifferentContent::kAllow
                                                         : DifferentContent::kRefuse,
          .points = with_queries ? evaluation::Stored::kRepeat : evaluation::Stored::kSkip,
          .wanted = options.keeping.points};
}

/// Prints the points that would be evaluated. Creates no store and no lock.
Result<int> list_only(const EvalOptions& options, const evaluation::EvaluationRequest& request,
                      const session::Environment& environment, Console& console) {
  const auto& named = options.keeping.store;
  std::optional<store::Store> store;
  if (!named.empty()) store = TRY(store::Store::open_if_made(named));
  const session::PointList list = TRY(evaluation::list_points(
      request, environment,
      {.store = store ? &*store : nullptr, .wanted = options.keeping.points}));
  Output output = TRY(Output::open(options.output, console));
  kPointListDocument.write(options.format, list, output.sink());
  TRY(output.close());
  return kDone;
}

Result<int> run_eval(const EvalOptions& options, Console& console) {
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  const std::optional<manifest::Lock> locked = TRY(existing_lock(options.keeping));
  const evaluation::EvaluationRequest request = TRY(locked_request(options, locked, *environment));
  if (options.keeping.dry_run) return list_only(options, request, *environment, console);
  std::optional<session::RunRecorder> recorder =
      TRY(session::RunRecorder::open(options.keeping.store, *environment));
  Output output = TRY(Output::open(options.output, console));
  std::optional<Output> queries;
  if (!options.queries.empty()) queries.emplace(TRY(Output::open(options.queries, console)));
  std::optional<Output> lock = TRY(new_lock(options.keeping, console));
  const Evaluation evaluation =
      TRY(evaluation::evaluate(request, *environment, keeping_of(options, recorder, locked)));
  kEvaluationDocument.write(options.format, evaluation, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (queries) {
    evaluation::write_queries(evaluation, queries->sink());
    writing.done(queries->close());
  }
  write_eval_files(options, evaluation, *environment, writing, console);
  if (evaluation.store_error) writing.failed(*evaluation.store_error);
  if (lock && !Interruption::requested()) {
    lock->sink().write(manifest::to_toml(evaluation.lock));
    writing.done(lock->close());
  }
  const bool valid = std::ranges::all_of(evaluation.points, [](const EvaluatedPoint& p) {
    return p.validity.state == scenario::State::kValid;
  });
  return writing.status(valid ? kDone : kCheckFailed);
}

}  // namespace

int eval(const EvalOptions& options, Console& console) {
  const Result<int> status = run_eval(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_eval(Flags& flags) {
  auto o = std::make_shared<EvalOptions>();
  add_eval_options(flags, *o);
  return [o, &flags](Console& console) {
    o->keeping.stated = stated_flag(flags);
    return eval(*o, console);
  };
}

}  // namespace ridge::cli
