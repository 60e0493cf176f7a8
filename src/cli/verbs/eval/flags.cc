// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/document_options.h"
#include "cli/flags/registry_option.h"
#include "cli/verbs/eval/request.h"
#include "cli/verbs/eval/tables.h"

namespace ridge::cli {
namespace {

void add_data_options(Flags& flags, EvalOptions& options) {
  flags
      .add("--batch", options.batch,
           "samples of each run: the free leading dimension of the inputs, whatever its name")
      .positive();
  flags
      .add("--data", options.data,
           "samples that queries take their inputs from, which are also judged with --labels: a "
           "folder of images or of texts, a .txt with a text in each line, a .npy with samples "
           "along "
           "its first axis, a manifest of a data set, or one of the registry: NAME@1.2")
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
      .add("--save-outputs", options.outputs,
           "write the outputs for every sample into this folder, as .npy, so that ridge eval "
           "compare measures how far they diverge")
      .writes(Writes::kFolder)
      .shown_as("DIR");
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
}

void add_mlperf_options(Flags& flags, EvalOptions& options) {
  flags
      .add("--mlperf-logs", options.mlperf.logs,
           "issue the load by the rules of MLPerf's LoadGen 6.0.17, and write its log files into "
           "this folder; never an MLPerf result")
      .writes(Writes::kFolder)
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
}

void add_manifest_options(Flags& flags, EvalOptions& options) {
  add_registry_option(flags, options.registry);
  flags
      .add("--data-root", options.data_root,
           "folder with the files that a manifest names by a URL; checksums are compared")
      .shown_as("DIR");
  flags
      .add("--runtime-manifest", options.runtime_manifest,
           "a manifest of the runtime: versions, options, what the machine needs: ort.toml")
      .shown_as("FILE");
  flags
      .add("--runtime-version", options.runtime_version,
           "versions of the runtime to accept instead of the manifest's: '>=1.20', any")
      .shown_as("VERSIONS");
  flags
      .add("--prefer", options.prefer,
           "which to believe where a manifest's code and parameters contradict each other")
      .one_of({"code", "parameters"});
}

}  // namespace

void add_eval_options(Flags& flags, EvalOptions& options) {
  flags.add("MODEL", options.model,
            "ONNX file, zoo:NAME, a manifest (.toml, .yml), or a model of the registry: "
            "NAME@'>=1,<2'; with a --lock that exists optional");
  add_scenario_options(flags, options.scenario);
  add_data_options(flags, options);
  flags.add("--queries", options.queries, "write every query to this file, as CSV")
      .writes(Writes::kFile)
      .shown_as("FILE");
  add_keeping_options(flags, options.keeping);
  add_mlperf_options(flags, options);
  add_document_options(flags, options.format, options.output, kEvaluationDocument.formats(),
                       "write the document to this file");
  add_report_option(flags, options.report);
  flags
      .add("--trace", options.trace,
           "write queries and steps as spans to this file, for ui.perfetto.dev: .json or .pftrace")
      .writes(Writes::kFile)
      .shown_as("FILE");
  flags
      .add("--trace-layers", options.trace_layers,
           "queries that run with the runtime's profiler after the load, for the trace: 3")
      .positive();
  add_measuring_options(flags, options.measuring, OptionScope::kLoad);
  for (const Flag& flag : flags.rows())
    if (flag.names.find("--runtimes") != std::string::npos) options.runtimes = &flag;
  add_manifest_options(flags, options);
}

}  // namespace ridge::cli
