#include "cli/verbs/eval_request.h"

#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"

namespace ridge::cli {
namespace {

Result<workbench::EvaluationData> data_of(const EvalOptions& options) {
  workbench::EvaluationData out{
      .source = options.data, .labels = options.labels, .steps = {}, .limit = options.limit};
  if (!options.steps.empty()) out.steps = TRY_IN("--steps", pipeline::parse_steps(options.steps));
  if (!options.post.empty())
    out.post = TRY_IN("--post", pipeline::parse_output_steps(options.post));
  out.metric = *workbench::metric_named(options.metric);
  if (options.data.empty() &&
      !(options.labels.empty() && options.steps.empty() && options.post.empty()))
    return usage_error("RIDGE-CLI-0163", "--labels, --steps and --post are for data")
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
  request.bound = TRY(bound_of(options.scenario.bound));
  request.data = TRY(data_of(options));
  request.samples = options.samples;
  request.load = options.scenario.scenario != kAccuracyScenario;
  request.shown_answers = options.shown_answers;
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
           "what is true of each sample; classes: a line with a number for each, or lines "
           "NAME,CLASS; docs/accuracy.md has the formats of other metrics")
      .shown_as("PATH");
  flags
      .add("--metric", options.metric,
           "how answers are judged: top-k (classes), coco or voc (boxes), miou (masks), psnr or "
           "ssim (images), exact, f1 or cer (text)")
      .one_of({"top-k", "coco", "voc", "miou", "psnr", "ssim", "exact", "f1", "cer"});
  flags
      .add("--post", options.post,
           "steps from the outputs to an answer: 'softmax top(5) labels(classes.txt)'")
      .shown_as("STEPS");
  flags.add("--show-answers", options.shown_answers,
            "print the answers to this many samples, with their labels");
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
