// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/bricks/verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/number.h"
#include "base/text.h"
#include "bricks/estimate_describe.h"
#include "bricks/plan_describe.h"
#include "bricks/run/check.h"
#include "bricks/run/estimate.h"
#include "bricks/run/plan.h"
#include "bricks/run/suite.h"
#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/flags/percentage.h"
#include "cli/flags/sizes.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/runtime_source.h"
#include "cli/verbs/bricks/tables.h"
#include "report/bricks/page.h"

namespace ridge::cli {
namespace {

using bricks::PlannedBricks;

/// Largest number of layers that --granularity takes.
constexpr std::uint32_t kMaxLayers = 1000;

/// Parses --granularity; usage error (RIDGE-CLI-0120) for anything else.
Result<bricks::Granularity> granularity_named(const std::string& text) {
  if (text == "auto") return bricks::kAutomatic;
  if (text == "sequence") return bricks::kSequences;
  if (text == "layer") return bricks::Granularity{.layers = 1};
  if (text == "block") return bricks::Granularity{.layers = 0};
  if (const auto n = whole_number<std::uint32_t>(text); n && *n >= 1 && *n <= kMaxLayers)
    return bricks::Granularity{.layers = *n};
  return usage_error("RIDGE-CLI-0120", fmt::format("--granularity '{}' is invalid", text))
      .hint(fmt::format("write auto, layer, sequence, block, or a number of layers from 1 to {}",
                        kMaxLayers));
}

/// Writers of the table of a result, and of its document.
template <typename T>
constexpr Document<const T&> bricks_document(typename Document<const T&>::Describing described) {
  return {
      .table =
          [](const T& result, Sink& sink) {
            const exports::Table table = table_of(result, false);
            if (!table.empty()) sink.write(table.text());
          },
      .described = described,
      .csv = [](const T& result, Sink& sink) { sink.write(table_of(result, true).csv()); },
      .md = [](const T& result, Sink& sink) { sink.write(table_of(result, false).markdown()); }};
}

template <typename T>
void write_described(const T& result, const record::DocumentSink& out) {
  out.write(result);
}

constexpr auto kPlanDocument = bricks_document<PlannedBricks>(
    [](const PlannedBricks& done, const record::DocumentSink& out) { out.write(done.plan); });
constexpr auto kEstimatesDocument = bricks_document<bricks::EstimateDocument>(write_described);
constexpr auto kBricksCheckDocument = bricks_document<bricks::Check>(write_described);
/// Progress is no document: run_bricks() refuses it.
constexpr auto kProgressDocument = bricks_document<std::vector<bricks::ModelProgress>>(nullptr);
static_assert(kEstimatesDocument.formats() == kPlanDocument.formats());
static_assert(kBricksCheckDocument.formats() == kPlanDocument.formats());

Result<std::vector<session::ModelSpec>> specs_of(const BricksOptions& options) {
  std::vector<session::ModelSpec> out;
  for (const std::string& model : options.models) {
    session::MeasureSpec spec = TRY(spec_of_one_model(options.measuring, model, options.models));
    out.push_back({model, std::move(spec)});
  }
  return out;
}

Result<void> need_store(const BricksOptions& options) {
  if (!options.store.empty()) return {};
  return usage_error("RIDGE-CLI-0122",
                     fmt::format("ridge bricks {} requires a run database", options.action))
      .hint("name one: --store bricks.db");
}

/// Writes the page where --report is given.
Result<void> write_page(const BricksOptions& options, const report::BricksPage& page,
                        Console& console) {
  if (options.report.empty()) return {};
  return Output::write(options.report, report::bricks_page(page), console);
}

Result<int> plan(const BricksOptions& options, Console& console) {
  if (options.folder.empty())
    return usage_error("RIDGE-CLI-0121", "ridge bricks plan requires a folder for the bricks")
        .hint("name a new one: ridge bricks plan MODEL... --out suite");
  const bricks::Granularity granularity = TRY(granularity_named(options.granularity));
  std::vector<session::ModelSpec> models = TRY(specs_of(options));
  const bricks::BricksRequest request{
      .models = std::move(models), .folder = options.folder, .granularity = granularity};
  const ConsoleEnvironment environment(console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const PlannedBricks done = TRY(bricks::plan_bricks(request, *environment));
  Writing writing(console);
  kPlanDocument.write(options.format, done, output.sink());
  writing.done(output.close());
  writing.done(write_page(options, {.plan = &done.plan}, console));
  console.err.write(summary_text(done, options.folder));
  return writing.status(done.failed.empty() ? kDone : kCheckFailed);
}

Result<bricks::SuiteGoal> goal_of(const BricksOptions& options) {
  return bricks::SuiteGoal{.width = TRY(parse_percentage("--width", options.width)),
                           .processes = options.processes};
}

Result<int> run_bricks(const BricksOptions& options, Console& console) {
  TRY(need_store(options));
  if (options.models.size() != 1)
    return usage_error("RIDGE-CLI-0123", "ridge bricks run takes one folder")
        .hint("plan all models into it: ridge bricks plan MODEL... --out DIR");
  if (document_form(options.format))
    return usage_error("RIDGE-CLI-0124", fmt::format("ridge bricks run writes no {} document",
                                                     options.format == "json" ? "JSON" : "columns"))
        .hint(fmt::format("estimates: ridge bricks estimate MODEL... --store FILE --format {}",
                          options.format));
  double budget_s = 0;
  if (!options.budget.empty()) budget_s = TRY(parse_duration("--budget", options.budget));
  const bricks::SuiteGoal goal = TRY(goal_of(options));
  session::MeasureSpec spec = TRY(spec_of(options.measuring));
  const bricks::SuiteRequest request{
      .folder = options.models[0], .store = options.store, .spec = std::move(spec), .goal = goal};
  const ConsoleEnvironment environment(console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  bricks::BricksSuite suite = TRY(bricks::BricksSuite::open(request, *environment));
  if (options.dry_run) {
    console.err.write(fmt::format("{} of {} to measure\n", suite.to_measure().size(),
                                  counted(std::ssize(suite.plan().bricks), "brick")));
  } else {
    TRY(suite.measure_all(budget_s));
  }
  const std::vector<bricks::ModelProgress> models = suite.progress();
  Writing writing(console);
  kProgressDocument.write(options.format, models, output.sink());
  writing.done(output.close());
  writing.done(write_page(
      options, {.plan = &suite.plan(), .estimates = models, .times = &suite.times().at(0)},
      console));
  if (options.dry_run) return writing.status(kDone);
  console.err.write(summary_text(suite, request.goal.width));
  const bool reached = std::ranges::all_of(models, &bricks::ModelProgress::reached);
  return writing.status(reached ? kDone : kCheckFailed);
}

Result<int> estimate(const BricksOptions& options, Console& console) {
  if (!options.report.empty())
    return usage_error("RIDGE-CLI-0125", "ridge bricks estimate writes no report")
        .hint("plan, run and check write one; estimates as a document: --format json");
  TRY(need_store(options));
  const bricks::EstimateRequest request{.models = TRY(specs_of(options)), .store = options.store};
  const ConsoleEnvironment environment(console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const bricks::BrickEstimates done = TRY(bricks::estimate_models(request, *environment));
  Writing writing(console);
  kEstimatesDocument.write(options.format, done.document, output.sink());
  writing.done(output.close());
  console.err.write(summary_text(done.document));
  const bool measured = std::ranges::all_of(
      done.document.models,
      [](const bricks::ModelEstimate& m) { return m.missing == 0 && m.predicted == 0; });
  return writing.status(measured && done.failed.empty() ? kDone : kCheckFailed);
}

Result<int> check_bricks(const BricksOptions& options, Console& console) {
  TRY(need_store(options));
  const bricks::SuiteGoal goal = TRY(goal_of(options));
  const auto granularity = TRY(granularity_named(options.granularity));
  std::vector<session::ModelSpec> models = TRY(specs_of(options));
  const bricks::CheckRequest request{.models = std::move(models),
                                     .store = options.store,
                                     .folder = options.folder,
                                     .granularity = granularity,
                                     .goal = goal};
  const ConsoleEnvironment environment(console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const bricks::BricksChecked done = TRY(bricks::check_bricks(request, *environment));
  Writing writing(console);
  kBricksCheckDocument.write(options.format, done.check, output.sink());
  writing.done(output.close());
  writing.done(write_page(
      options,
      {.plan = &done.plan, .estimates = done.estimates, .times = &done.times, .check = &done.check},
      console));
  console.err.write(summary_text(done.check, done.too_wide));
  const bool complete =
      done.failed.empty() && done.too_wide.empty() && done.check.without_estimate.empty();
  return writing.status(complete ? kDone : kCheckFailed);
}

Result<int> act_on_bricks(const BricksOptions& options, Console& console) {
  if (options.action == "plan") return plan(options, console);
  if (options.action == "run") return run_bricks(options, console);
  return options.action == "estimate" ? estimate(options, console) : check_bricks(options, console);
}

}  // namespace

int bricks(const BricksOptions& options, Console& console) {
  const Result<int> status = act_on_bricks(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_bricks(Flags& flags) {
  auto o = std::make_shared<BricksOptions>();
  flags
      .add(
          "ACTION", o->action,
          "plan: cut models into bricks and write them as ONNX files; run: measure the bricks of a "
          "plan; estimate: latencies of models from measured bricks; check: measure models too and "
          "compare")
      .required()
      .one_of({"plan", "run", "estimate", "check"});
  flags.add("MODEL", o->models, "ONNX files, or zoo:NAME; for run the folder of a plan").required();
  flags
      .add("--out", o->folder,
           "folder for the bricks: new, empty, or of an earlier plan (check: a temporary one)")
      .writes(Writes::kFolder)
      .shown_as("DIR");
  flags
      .add("--granularity", o->granularity,
           "plan, check: layers of a piece to begin with: layer (1), auto (1, but a model of very "
           "short kernels is one piece), sequence (up to 8 that in the given models occur only "
           "together), block (up to the next single tensor), or a number")
      .shown_as("SIZE");
  flags
      .add("--store", o->store,
           "run database: measured bricks are stored there and not measured again")
      .writes(Writes::kStore);
  flags
      .add("--width", o->width,
           "measure until what the measurement adds to half of each 95 % interval is at most this "
           "part of its estimate (3%)")
      .shown_as("PERCENT");
  flags
      .add("--budget", o->budget, "run: time for measuring: 90s, 10m; without it there is no limit")
      .shown_as("DURATION");
  flags.add("--processes", o->processes, "fewest processes in which each brick is measured (4)")
      .range(2, 30);
  flags.add("--dry-run", o->dry_run, "run: report what would be measured; measure nothing");
  add_size_flags(flags, o->measuring.binds, o->measuring.shapes,
                 "free sizes by name: batch=8; of one of several models: MODEL:batch=8");
  restrict_to_runtimes(flags
                           .add("--runtime", o->measuring.runtimes,
                                "runtime that runs the bricks: ort (ONNX Runtime), openvino, or "
                                "the path of a plug-in")
                           .count(1, 1));
  flags.add("--threads", o->measuring.threads, "threads of the runtime (1)");
  add_runtime_library(flags, o->measuring);
  add_document_options(flags, o->format, o->output, kPlanDocument.formats(),
                       "write the document to this file");
  add_report_option(flags, o->report);
  return [o](Console& console) { return bricks(*o, console); };
}

}  // namespace ridge::cli
