#include "cli/verbs/eval_verb.h"

#include <algorithm>
#include <memory>

#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/eval_tables.h"
#include "pipeline/step_text.h"
#include "workbench/evaluation.h"
#include "workbench/evaluation_document.h"
#include "workbench/evaluation_report.h"

namespace ridge::cli {
namespace {

using workbench::EvaluatedPoint;
using workbench::Evaluation;

void write_document(const std::string& format, const Evaluation& evaluation, Sink& sink) {
  if (format == "json") return workbench::write_evaluation(evaluation, sink);
  exports::Table table = table_of(evaluation, format == "csv");
  if (format == "csv") return sink.write(table.csv());
  if (format == "md") return sink.write(table.markdown());
  const std::string shared = table.take_shared({"runtime", "threads"});
  sink.write(shared.empty() ? "" : shared + "\n\n");
  if (evaluation.load) sink.write(table.text());
  sink.write(rates_text(evaluation));
}

Result<workbench::EvaluationData> data_of(const EvalOptions& options) {
  workbench::EvaluationData out{
      .source = options.data, .labels = options.labels, .steps = {}, .limit = options.limit};
  if (!options.steps.empty()) out.steps = TRY_IN("--steps", pipeline::parse_steps(options.steps));
  if (options.data.empty() && !(options.labels.empty() && options.steps.empty()))
    return usage_error("RIDGE-CLI-0163", "--labels and --steps are for data")
        .hint("name a folder of images or a .npy: --data images.npy");
  return out;
}

Result<int> run(const EvalOptions& options, Console& console) {
  // Each before the next: clang leaks what a braced list has made when TRY returns from it.
  workbench::EvaluationRequest request;
  request.model = options.model;
  request.spec = TRY(spec_of(options.measuring));
  request.scenario = TRY(scenario_of(options.scenario, options.measuring.seed));
  request.bound = TRY(bound_of(options.scenario.bound));
  request.data = TRY(data_of(options));
  request.samples = options.samples;
  request.load = options.scenario.scenario != kAccuracyScenario;
  request.find_peak = options.scenario.find_peak;
  request.peak_budget_s = TRY(parse_duration("--budget", options.scenario.budget));
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  const Evaluation evaluation = TRY(workbench::evaluate(request, *environment));
  write_document(options.format, evaluation, output.sink());
  TRY(output.close());
  if (!options.queries.empty()) {
    Output queries = TRY(Output::open(options.queries, console));
    workbench::write_queries(evaluation, queries.sink());
    TRY(queries.close());
  }
  if (!options.report.empty())
    TRY(Output::write(options.report, workbench::evaluation_report(evaluation), console));
  const bool valid = std::ranges::all_of(evaluation.points, [](const EvaluatedPoint& p) {
    return p.validity.state == scenario::State::kValid;
  });
  return valid ? kDone : kCheckFailed;
}

}  // namespace

int eval(const EvalOptions& options, Console& console) {
  const Result<int> status = run(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_eval(Flags& flags) {
  auto o = std::make_shared<EvalOptions>();
  flags.add("MODEL", o->model, "ONNX file, or zoo:NAME").required();
  add_scenario_options(flags, o->scenario);
  flags
      .add("--data", o->data,
           "samples that queries take their inputs from, which are also judged with --labels: a "
           "folder of images, or a .npy with samples along its first axis")
      .shown_as("PATH");
  flags
      .add("--labels", o->labels,
           "the class of each sample: a line with its number for each, or lines NAME,CLASS")
      .shown_as("FILE");
  flags
      .add("--steps", o->steps,
           "steps from a file or array to the input: 'decode(rgb) resize(256, short) crop(224) "
           "layout(nchw)'")
      .shown_as("STEPS");
  flags.add("--limit", o->limit, "samples of --data, at most").positive();
  flags
      .add(
          "--samples", o->samples,
          "seeded samples that queries take their inputs from, at most; fewer where they are large")
      .positive();
  flags.add("--queries", o->queries, "write every query to this file, as CSV").shown_as("FILE");
  add_document_options(flags, o->format, o->output, {"table", "json", "csv", "md"},
                       "write the document to this file");
  add_report_option(flags, o->report);
  add_measuring_options(flags, o->measuring, OptionScope::kLoad);
  return [o](Console& console) { return eval(*o, console); };
}

}  // namespace ridge::cli
