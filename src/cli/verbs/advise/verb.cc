// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/advise/verb.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "advice/record/describe.h"
#include "advice/record/scoreboard_describe.h"
#include "advice/run/advice.h"
#include "base/version.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/runtime_source.h"
#include "cli/verbs/advise/scoreboard_table.h"
#include "export/advice/table.h"
#include "report/advice/page.h"
#include "store/store.h"

namespace ridge::cli {
namespace {

using advice::Advice;

void write_advice_text(const Advice& advice, Sink& sink) {
  sink.write(exports::figures_text(advice));
  if (!advice.findings.empty()) sink.write("\n" + exports::findings_table(advice, false).text());
  sink.write(exports::findings_text(advice));
  if (advice.findings.empty()) sink.write("\nno findings\n");
}

void write_scoreboard_text(const advice::Scoreboard& board, Sink& sink) {
  if (!board.rows.empty()) sink.write(table_of(board, false).text());
  sink.write(summary_text(board));
}

constexpr Document<const Advice&> kAdviceDocument = {
    .table = write_advice_text,
    .described = [](auto& advice, auto& out) { out.write(advice); },
    .csv = [](auto& advice,
              Sink& sink) { sink.write(exports::findings_table(advice, true).csv()); },
    .md = [](auto& advice,
             Sink& sink) { sink.write(exports::findings_table(advice, false).markdown()); }};

constexpr Document<const advice::Scoreboard&> kScoreboardDocument = {
    .table = write_scoreboard_text,
    .described = [](auto& board, auto& out) { out.write(board); },
    .csv = [](auto& board, Sink& sink) { sink.write(table_of(board, true).csv()); },
    .md = [](auto& board, Sink& sink) { sink.write(table_of(board, false).markdown()); }};
static_assert(kScoreboardDocument.formats() == kAdviceDocument.formats());

/// True if more than rounding changes for a caller: values, inputs, outputs, accuracy.
bool changes_outputs(const advice::Finding& f) {
  return (!f.effect.empty() && f.effect != "rounding") || (f.check && f.check->broken);
}

/// A finding whose outputs differ though they should stay fails; a check that was not judged does
/// not.
bool failed(const advice::Finding& f) { return f.check && f.check->broken; }

Result<int> apply(const AdviseOptions& options, const advice::AdviceRequest& request,
                  Console& console) {
  if (options.output.empty())
    return usage_error("RIDGE-CLI-0130", "--apply requires a file for the changed model")
        .hint("name one: --output better.onnx");
  const ConsoleEnvironment environment(console);
  TRY(advice::apply_advice(request, options.apply, options.output, *environment));
  return kDone;
}

Result<int> print_scoreboard(const AdviseOptions& options, Console& console) {
  const store::Store store = TRY(store::Store::open(options.scoreboard, store::Access::kRead));
  advice::Scoreboard board = advice::scoreboard(TRY(store.checked_findings()));
  board.ridge = version();
  Output output = TRY(Output::open(options.output, console));
  kScoreboardDocument.write(options.format, board, output.sink());
  TRY(output.close());
  return kDone;
}

Result<int> run_advise(const AdviseOptions& options, Console& console) {
  if (!options.scoreboard.empty()) return print_scoreboard(options, console);
  if (options.model.empty())
    return usage_error("RIDGE-CLI-0131", "ridge advise requires a model")
        .hint("name an ONNX file or zoo:NAME, or print past checks: --scoreboard runs.db");
  if (options.bricks && options.store.empty())
    return usage_error("RIDGE-CLI-0132", "--bricks requires a run database")
        .hint("name one: --store runs.db; measured bricks are kept there");
  session::MeasureSpec spec = TRY(spec_of(options.measuring));
  advice::AdviceRequest request{.model = options.model,
                                .spec = std::move(spec),
                                .runtimes = {},
                                .store = options.store,
                                .measure_bricks = options.bricks,
                                .lossless = options.lossless,
                                .checks = options.checks};
  for (const std::string& given : options.runtimes)
    request.runtimes.push_back(TRY(session::name_runtime(given, request.spec)));
  if (!options.apply.empty()) return apply(options, request, console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  advice::Advised done = TRY(advice::advise(request, *environment));
  Advice& advice = done.advice;
  if (options.lossless) std::erase_if(advice.findings, changes_outputs);
  kAdviceDocument.write(options.format, advice, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(
        Output::write(options.report, report::advice_page(advice, done.run, done.roofs), console));
  return writing.status(std::ranges::any_of(advice.findings, failed) ? kCheckFailed : kDone);
}

}  // namespace

int advise(const AdviseOptions& options, Console& console) {
  const Result<int> status = run_advise(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_advise(Flags& flags) {
  auto o = std::make_shared<AdviseOptions>();
  flags.add("MODEL", o->model, "ONNX file, or zoo:NAME");
  flags
      .add("--check", o->checks,
           "apply this finding, measure before and after in turns and compare outputs; all: every "
           "one, and all together; repeatable")
      .shown_as("ID")
      .single();
  flags.add("--apply", o->apply, "write the model with this finding applied to --output, and stop")
      .shown_as("ID");
  flags.add(
      "--lossless", o->lossless,
      "leave out findings that change more than rounding: values for some inputs, the inputs or "
      "outputs of the model, or its accuracy");
  flags
      .add("--store", o->store,
           "run database for the run, for bricks, from which gains are predicted, and for checks: "
           "what it has is not measured again")
      .writes(Writes::kStore);
  flags.add("--bricks", o->bricks,
            "measure the bricks of the model and of its edited copies that --store lacks");
  restrict_to_runtimes(
      flags.add("--runtimes", o->runtimes, "runtimes to compare with, piece by piece: ort,openvino")
          .separator(',')
          .single());
  flags
      .add("--scoreboard", o->scoreboard,
           "print how well predicted gains held in the checks of this run database, and stop")
      .shown_as("FILE");
  add_document_options(flags, o->format, o->output, kAdviceDocument.formats(),
                       "write the document, or with --apply the changed model, to this file");
  add_report_option(flags, o->report);
  add_measuring_options(flags, o->measuring, OptionScope::kPoint);
  return [o](Console& console) { return advise(*o, console); };
}

}  // namespace ridge::cli
