// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/flags/load_flags.h"
#include "cli/flags/registry_option.h"
#include "evaluation/subject/subject.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"

namespace ridge::cli {
namespace {

Result<evaluation::EvaluationData> data_of(const EvalOptions& options) {
  evaluation::EvaluationData out{
      .source = options.data, .labels = options.labels, .steps = {}, .limit = options.limit};
  if (!options.steps.empty()) out.steps = TRY_IN("--steps", pipeline::parse_steps(options.steps));
  if (!options.post.empty())
    out.post = TRY_IN("--post", pipeline::parse_output_steps(options.post));
  out.metric = *find_word<evaluation::Metric>(options.metric);
  return out;
}

manifest::Prefer preferred_evaluation(const EvalOptions& options) {
  if (options.prefer.empty()) return manifest::Prefer::kNeither;
  return options.prefer == "code" ? manifest::Prefer::kCode : manifest::Prefer::kParameters;
}

/// Refuses flags whose subject is not there.
Result<void> check_subjects(const EvalOptions& options,
                            const evaluation::EvaluationRequest& request) {
  const bool data = !request.data.source.empty();
  if (!data && (options.limit > 0 || options.shown_answers > 0))
    return usage_error("RIDGE-CLI-0163",
                       fmt::format("{} is for data, and there is none",
                                   options.limit > 0 ? "--limit" : "--show-answers"))
        .hint(options.limit > 0 ? "name data: --data images.npy; seeded samples: --samples N"
                                : "name a folder of images or a .npy: --data images.npy");
  if (options.trace_layers > 0 && options.trace.empty() && options.report.empty())
    return usage_error("RIDGE-CLI-0163", "--trace-layers is for a trace or a report")
        .hint("name a file: --trace run.json, or --report run.html");
  return {};
}

/// Fills in what the model's name stands for; flags that are given win over it.
Result<void> add_subject(const EvalOptions& options, const session::Environment& environment,
                         evaluation::EvaluationRequest& request) {
  const evaluation::EvaluationSubject subject =
      TRY(evaluation::evaluation_subject({.name = options.model,
                                          .data = options.data,
                                          .registry = registry_folder(options.registry),
                                          .runtime_manifest = options.runtime_manifest,
                                          .prefer = preferred_evaluation(options),
                                          .data_root = options.data_root},
                                         environment));
  evaluation::fill(request, subject);
  const bool chosen = options.runtimes != nullptr && options.runtimes->given > 0;
  if (!chosen && !subject.runtimes.empty()) request.spec.runtimes.clear();
  for (evaluation::WantedRuntime& wanted : request.wanted) {
    if (!chosen) request.spec.runtimes.push_back(wanted.name);
    if (!options.runtime_version.empty())
      wanted.constraint = options.runtime_version == "any" ? "" : options.runtime_version;
    auto& stated = request.spec.runtime_options;
    if (chosen && request.spec.runtimes != std::vector{wanted.name}) continue;
    for (const auto& option : wanted.options)
      if (std::ranges::none_of(stated, [&](const auto& s) { return s.first == option.first; }))
        stated.push_back(option);
  }
  const bool about_data =
      !(options.labels.empty() && options.steps.empty() && options.post.empty());
  if (request.data.source.empty() && about_data)
    return usage_error("RIDGE-CLI-0163", "--labels, --steps and --post are for data")
        .hint("name a folder of images or a .npy: --data images.npy");
  return check_subjects(options, request);
}

/// Flags of tests by LoadGen's rules. A rate may come from the files, so that it need not be given.
Result<evaluation::MlperfRequest> mlperf_of(const EvalOptions& options) {
  evaluation::MlperfRequest out = options.mlperf;
  out.audit = find_word<evaluation::Audit>(options.audit).value_or(evaluation::Audit::kNone);
  if (!out.asked() &&
      !(out.user_conf.empty() && out.mlperf_conf.empty() && options.audit == "none"))
    return usage_error("RIDGE-CLI-0176",
                       "--user-conf, --mlperf-conf and --audit need --mlperf-logs")
        .hint("name a folder for the logs: --mlperf-logs out");
  out.queries_per_s = options.scenario.queries_per_s;
  const std::string& most = options.scenario.max_duration;
  if (out.asked() && !most.empty())
    out.max_duration_ms =
        static_cast<std::uint64_t>(1000 * TRY(parse_duration("--max-duration", most)));
  return out;
}

Result<void> check_rate(const EvalOptions& options) {
  const ScenarioOptions& s = options.scenario;
  if (s.scenario == "server" || options.mlperf.asked()) return {};
  if (!(s.queries_per_s > 0) && s.arrivals == ScenarioOptions().arrivals) return {};
  return usage_error(
             "RIDGE-CLI-0164",
             fmt::format("{} has no arrivals: --qps and --arrivals are of a server", s.scenario))
      .hint("add --scenario server");
}

ScenarioOptions with_some_rate(const EvalOptions& options,
                               const evaluation::MlperfRequest& mlperf) {
  ScenarioOptions out = options.scenario;
  if (mlperf.asked() && !(out.queries_per_s > 0)) out.queries_per_s = 1;  // LoadGen's default
  return out;
}

}  // namespace

Result<evaluation::EvaluationRequest> request_of(const EvalOptions& options,
                                                 const session::Environment& environment) {
  // Each before the next: clang leaks what a braced list has made when TRY returns from it.
  evaluation::EvaluationRequest request;
  request.spec = TRY(spec_of(options.measuring));
  request.mlperf = TRY(mlperf_of(options));
  TRY(check_rate(options));
  request.scenario =
      TRY(scenario_of(with_some_rate(options, request.mlperf), options.measuring.seed));
  if (request.scenario.kind == scenario::Kind::kServer) request.trace = trace_of(options.scenario);
  for (const std::string& text : options.scenario.mix)
    request.mix.push_back(TRY(parse_mix(text)).model);
  request.bound = TRY(bound_of(options.scenario.bound));
  request.data = TRY(data_of(options));
  request.samples = options.samples;
  request.batch = options.batch;
  request.load = options.scenario.scenario != kAccuracyScenario;
  request.outputs = options.outputs;
  request.shown_answers = options.shown_answers;
  request.find_peak = options.scenario.find_peak;
  request.peak_budget_s = TRY(parse_duration("--budget", options.scenario.budget));
  request.profiled_queries = profiled_queries(options);
  TRY(add_subject(options, environment, request));
  return request;
}

std::uint32_t profiled_queries(const EvalOptions& options) {
  return options.trace_layers > 0 || options.trace.empty() ? options.trace_layers : kTracedQueries;
}

}  // namespace ridge::cli
