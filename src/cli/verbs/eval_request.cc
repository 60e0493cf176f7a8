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

}  // namespace

Result<workbench::EvaluationRequest> request_of(const EvalOptions& options) {
  // Each before the next: clang leaks what a braced list has made when TRY returns from it.
  workbench::EvaluationRequest request;
  request.model = options.model;
  request.spec = TRY(spec_of(options.measuring));
  request.scenario = TRY(scenario_of(options.scenario, options.measuring.seed));
  for (const std::string& text : options.scenario.mix)
    request.mix.push_back(TRY(parse_mix(text)).model);
  request.bound = TRY(bound_of(options.scenario.bound));
  request.data = TRY(data_of(options));
  request.samples = options.samples;
  request.load = options.scenario.scenario != kAccuracyScenario;
  request.find_peak = options.scenario.find_peak;
  request.peak_budget_s = TRY(parse_duration("--budget", options.scenario.budget));
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
  add_document_options(flags, options.format, options.output, {"table", "json", "csv", "md"},
                       "write the document to this file");
  add_measuring_options(flags, options.measuring, OptionScope::kLoad);
}

}  // namespace ridge::cli
