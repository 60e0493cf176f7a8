#include "cli/verbs/eval_request.h"

#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/flags/load_flags.h"
#include "pipeline/step_text.h"

namespace ridge::cli {
namespace {

Result<workbench::EvaluationData> data_of(const EvalOptions& options) {
  workbench::EvaluationData out{
      .source = options.data, .labels = options.labels, .steps = {}, .limit = options.limit};
  if (!options.steps.empty()) out.steps = TRY_IN("--steps", pipeline::parse_steps(options.steps));
  if (options.data.empty() && !(options.labels.empty() && options.steps.empty()))
    return usage_error("RIDGE-CLI-0163", "--labels and --steps are for data")
        .hint("name a folder of images or a .npy: --data images.npy");
  return out;
}

/// Flags of tests by LoadGen's rules. A rate may come from the files, so that it need not be given.
Result<workbench::MlperfRequest> mlperf_of(const EvalOptions& options) {
  workbench::MlperfRequest out = options.mlperf;
  out.audit = workbench::audit_named(options.audit).value_or(workbench::Audit::kNone);
  if (!out.asked() &&
      !(out.user_conf.empty() && out.mlperf_conf.empty() && options.audit == "none"))
    return usage_error("RIDGE-CLI-0170",
                       "--user-conf, --mlperf-conf and --audit need --mlperf-logs")
        .hint("name a folder for the logs: --mlperf-logs out");
  out.queries_per_s = options.scenario.queries_per_s;
  const std::string& most = options.scenario.most_duration;
  if (out.asked() && !most.empty())
    out.max_duration_ms =
        static_cast<std::uint64_t>(1000 * TRY(parse_duration("--max-duration", most)));
  return out;
}

ScenarioOptions with_some_rate(const EvalOptions& options, const workbench::MlperfRequest& mlperf) {
  ScenarioOptions out = options.scenario;
  if (mlperf.asked() && !(out.queries_per_s > 0)) out.queries_per_s = 1;  // LoadGen's default
  return out;
}

}  // namespace

Result<workbench::EvaluationRequest> request_of(const EvalOptions& options) {
  // Each before the next: clang leaks what a braced list has made when TRY returns from it.
  workbench::EvaluationRequest request;
  request.model = options.model;
  request.spec = TRY(spec_of(options.measuring));
  request.mlperf = TRY(mlperf_of(options));
  request.scenario =
      TRY(scenario_of(with_some_rate(options, request.mlperf), options.measuring.seed));
  for (const std::string& text : options.scenario.mix)
    request.mix.push_back(TRY(parse_mix(text)).model);
  request.bound = TRY(bound_of(options.scenario.bound));
  request.data = TRY(data_of(options));
  request.samples = options.samples;
  request.load = options.scenario.scenario != kAccuracyScenario;
  request.find_peak = options.scenario.find_peak;
  request.peak_budget_s = TRY(parse_duration("--budget", options.scenario.budget));
  request.profiled_queries = options.trace_layers;
  if (!options.trace.empty() && options.trace_layers == 0)
    request.profiled_queries = kTracedQueries;
  return request;
}

void add_eval_options(Flags& flags, EvalOptions& options) {
  flags.add("MODEL", options.model, "ONNX file, or zoo:NAME").required();
  add_scenario_options(flags, options.scenario);
  flags
      .add("--data", options.data,
           "samples that queries take their inputs from, which are also judged with --labels: a "
           "folder of images, or a .npy with samples along its first axis")
      .shown_as("PATH");
  flags
      .add("--labels", options.labels,
           "the class of each sample: a line with its number for each, or lines NAME,CLASS")
      .shown_as("FILE");
  flags
      .add("--steps", options.steps,
           "steps from a file or array to the input: 'decode(rgb) resize(256, short) crop(224) "
           "layout(nchw)'")
      .shown_as("STEPS");
  flags.add("--limit", options.limit, "samples of --data, at most").positive();
  flags
      .add("--samples", options.samples,
           "seeded samples that queries take their inputs from, at most; fewer where they are "
           "large")
      .positive();
  flags.add("--queries", options.queries, "write every query to this file, as CSV")
      .shown_as("FILE");
  flags
      .add("--mlperf-logs", options.mlperf.logs,
           "issue the load by the rules of MLPerf's LoadGen 6.0.17, and write its log files into "
           "this folder; never an MLPerf result")
      .shown_as("DIR");
  flags
      .add("--user-conf", options.mlperf.user_conf,
           "configuration of --mlperf-logs, whose keys go before flags")
      .shown_as("FILE");
  flags
      .add("--mlperf-conf", options.mlperf.mlperf_conf,
           "the same with seeds, read before --user-conf; default: the seeds of MLPerf 6.0")
      .shown_as("FILE");
  flags
      .add("--audit", options.audit,
           "compliance test of MLPerf: outputs under load are those of accuracy mode (test01), one "
           "sample again and again is not faster (test04)")
      .one_of({"none", "test01", "test04"});
  add_document_options(flags, options.format, options.output, {"table", "json", "csv", "md"},
                       "write the document to this file");
  add_report_option(flags, options.report);
  flags
      .add("--trace", options.trace,
           "write queries and steps as spans to this file, for ui.perfetto.dev: .json or .pftrace")
      .shown_as("FILE");
  flags
      .add("--trace-layers", options.trace_layers,
           "queries that run with the runtime's profiler after the load, for the trace: 3")
      .positive();
  add_measuring_options(flags, options.measuring, OptionScope::kLoad);
}

}  // namespace ridge::cli
