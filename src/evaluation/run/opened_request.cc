// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/opened_request.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/sizes/binding.h"
#include "base/lines.h"
#include "evaluation/data/text_source.h"
#include "evaluation/repeat/hashes.h"
#include "evaluation/repeat/lock.h"
#include "graph/model.h"
#include "pipeline/labels.h"
#include "session/point_choice.h"

namespace ridge::evaluation {
namespace {

constexpr std::int64_t kMaxNamesBytes = std::int64_t{16} << 20;

Result<void> check_rates(const EvaluationRequest& request) {
  if (request.load && !request.find_peak) TRY(scenario::check(request.scenario));
  if (request.find_peak && (!request.bound || request.scenario.kind != scenario::Kind::kServer))
    return usage_error("RIDGE-WB-0115", "the largest rate is that of a server within a bound")
        .hint("--scenario server --find-peak --bound p99=15ms");
  if (request.find_peak && std::holds_alternative<scenario::Replay>(request.scenario.arrivals))
    return usage_error("RIDGE-WB-0211", "recorded arrivals have the rate that they have")
        .hint("search with --arrivals poisson, constant, gamma:SHAPE or bursty:FACTOR");
  if (request.find_peak && request.mlperf.asked())
    return usage_error("RIDGE-WB-0135", "LoadGen's rules are for a rate that is known")
        .hint("search it first, without --mlperf-logs");
  return {};
}

/// Settings of a test by LoadGen's rules, if one is asked for.
Result<std::optional<MlperfSettings>> test_settings(const EvaluationRequest& request) {
  if (!request.mlperf.asked()) return std::optional<MlperfSettings>();
  return std::optional(TRY(mlperf_settings(
      request.mlperf, {request.model, request.scenario, request.bound, request.load})));
}

Result<void> check_subject(const EvaluationRequest& request) {
  if (!request.load && request.data.source.empty() && request.spec.runtimes.size() < 2)
    return usage_error("RIDGE-WB-0116", "accuracy needs data")
        .hint("name a folder or a .npy, and its labels: --data images.npy --labels labels.txt");
  const scenario::Scenario& s = request.scenario;
  const bool plain = !s.batching && s.mix.empty() && s.clients == 0 && s.warmup_queries == 0 &&
                     s.warmup_duration.count == 0;
  if (request.mlperf.asked() && !plain)
    return usage_error("RIDGE-WB-0171", "LoadGen has no batching, mix, clients or warm-up")
        .hint("leave out --batching, --mix, --clients and --warmup, or --mlperf-logs");
  if (!request.outputs.empty() && request.load && request.data.source.empty())
    return usage_error("RIDGE-WB-0205", "outputs are those of samples of data")
        .hint("add --data, or --scenario accuracy");
  if (request.mix.size() != request.scenario.mix.size())
    return bug("not a share for each model of the mix", "evaluate");
  TRY(session::check(request.spec));
  if (request.spec.threads.size() != 1 || request.spec.sizes.size() != 1)
    return usage_error("RIDGE-WB-0110", "an evaluation is of one thread count and one set of sizes")
        .hint("run it once for each");
  return {};
}

/// Error for a point that is nothing without the others.
Result<void> check_alone(const EvaluationRequest& request, std::span<const std::string> wanted) {
  if (wanted.empty() || request.load || !request.data.source.empty()) return {};
  return usage_error("RIDGE-WB-0394", "without data runtimes are compared with each other")
      .evidence("--point chooses some of them")
      .hint("leave --point out, or name data: --data images.npy --labels labels.txt");
}

/// Number of names in a file with one for each class, which a step after the run may have read; 0
/// for no file.
Result<std::size_t> count_class_names(const EvaluationRequest& request) {
  const std::string& path = request.class_names;
  if (path.empty()) return std::size_t{0};
  for (const pipeline::OutputStep& step : request.data.post)
    if (const auto* labels = std::get_if<pipeline::Labels>(&step); labels && labels->path == path)
      return labels->names.size();
  const std::string text = TRY(read_text_file(path, kMaxNamesBytes));
  const auto names = TRY_IN(path, pipeline::parse_labels(text));
  return names.size();
}

/// Binds the free leading dimensions of the inputs to the request's batch.
Result<void> bind_batch(const graph::Model& model, EvaluationRequest& request) {
  if (request.batch == 0) return {};
  const std::vector<std::string> names = analysis::free_sizes(model, 0);
  if (names.empty())
    return input_error("RIDGE-WB-0209", "no input of the model has a free leading dimension")
        .hint("leave out the batch, or export the model with a free one")
        .in_file(request.model);
  for (analysis::Bindings& point : request.spec.sizes)
    for (const std::string& name : names) {
      const auto [at, fresh] =
          point.sizes.try_emplace(name, analysis::Binding{request.batch, false});
      if (!fresh && at->second.value != request.batch)
        return usage_error("RIDGE-WB-0210", fmt::format("'{}' is to be {} and, as the batch, {}",
                                                        name, at->second.value, request.batch))
            .hint("state one of both");
    }
  return {};
}

/// Binds the free lengths of the inputs to the length of the texts' step, where nobody states them.
void bind_length(const graph::Model& model, EvaluationRequest& request) {
  if (!is_text(request.data) || request.data.source.empty()) return;
  const pipeline::Step& step = request.data.steps[0];
  const auto* window = std::get_if<pipeline::ByteWindow>(&step);
  const std::int64_t length = window != nullptr ? std::int64_t{window->begin} + window->end
                                                : std::get<pipeline::Tokens>(step).length;
  for (analysis::Bindings& point : request.spec.sizes)
    for (const std::string& name : analysis::free_sizes(model, 1))
      point.sizes.try_emplace(name, analysis::Binding{length, false});
}

/// The first model's sizes and arrays.
session::MeasureSpec spec_of_others(session::MeasureSpec spec) {
  spec.sizes = {{}};
  spec.inputs.clear();
  return spec;
}

/// The documents of the model and of each other one of a mix.
std::vector<const onnx::Document*> documents_of(const session::Workbench& bench,
                                                const std::vector<session::Workbench>& others) {
  std::vector<const onnx::Document*> out = {&bench.opened.model->document()};
  for (const session::Workbench& other : others) out.push_back(&other.opened.model->document());
  return out;
}

}  // namespace

Result<std::unique_ptr<OpenedRequest>> OpenedRequest::open(const EvaluationRequest& given,
                                                           const session::Environment& environment,
                                                           const Opening& how) {
  TRY(check_rates(given));
  auto out = std::make_unique<OpenedRequest>();
  out->mlperf = TRY(test_settings(given));
  TRY(check_subject(given));
  TRY(check_alone(given, how.wanted));
  out->request = given;
  EvaluationRequest& request = out->request;
  ReadContent content;
  content.files = TRY(read_step_files(request.data));
  if (out->mlperf) content.files.insert(out->mlperf->hashes.begin(), out->mlperf->hashes.end());
  out->class_names = TRY(count_class_names(request));
  if (how.to_run)
    out->processors.emplace(environment,
                            request.spec.pin ? request.spec.threads : std::vector<int>());
  TRY(out->open_models(environment));
  const HashData when = how.wanted.empty() ? how.data : HashData::kBefore;
  out->data.emplace(TRY(DataCache::open(request.data, when, hash_watch(environment))));
  content.data = out->data->sha256();
  content.labels = out->data->labels_sha256();
  out->lock = TRY(lock_of(request, documents_of(*out->bench, out->others), content, environment));
  TRY(out->choose(how.wanted));
  return out;
}

Result<void> OpenedRequest::open_models(const session::Environment& environment) {
  bench.emplace(TRY(session::make_workbench(request.model, request.spec, environment)));
  TRY(bind_batch(*bench->opened.model, request));
  bind_length(*bench->opened.model, request);
  other_spec = spec_of_others(request.spec);
  for (const std::string& model : request.mix)
    others.push_back(TRY(session::make_workbench(model, other_spec, environment)));
  points = TRY(
      session::with_arrays(session::points_of(request.spec), request.spec, *bench->opened.model));
  return {};
}

Result<void> OpenedRequest::choose(std::span<const std::string> wanted) {
  asked = points.size();
  std::vector<std::string> keys;
  for (const session::Point& point : points) keys.push_back(request_key(lock, point.runtime));
  std::vector<session::Point> kept;
  for (const std::size_t i : TRY(session::select_points(keys, wanted)))
    kept.push_back(std::move(points[i]));
  points = std::move(kept);
  return {};
}

}  // namespace ridge::evaluation
