// SPDX-License-Identifier: Apache-2.0
#include "generation/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/bounds/min_work.h"
#include "attribution/names.h"
#include "base/text.h"
#include "base/version.h"
#include "generation/listing.h"
#include "generation/recorder.h"
#include "measure/material.h"
#include "profile/summary.h"
#include "roofline/bound.h"
#include "runtime/runtime.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::generation {
namespace {

using attribution::CanonicalOptions;
using runtime::PromptBy;
using scenario::StepBound;

/// A model with the roles of its inputs, at the sizes of a run.
struct Part {
  session::OpenedModel opened;
  DecoderPorts ports;
};

Result<analysis::Resolved> resolve(const Part& part, const session::Point& point,
                                   const RunSizes& run) {
  const analysis::Bindings sizes = sizes_of(*part.opened.model, part.ports, run, point.bindings);
  return analysis::resolve(part.opened.model, sizes, part.opened.defaults);
}

/// Bytes that a run must read of the weights, and of the cache, of which the run's own tokens are a
/// part that it writes first.
Result<StepBound> min_bytes(const analysis::Resolved& resolved, const DecoderPorts& ports) {
  StepBound out;
  const graph::Model& model = resolved.model();
  for (graph::ValueId id = 0; id < model.values().size(); ++id) {
    const graph::Value& value = model.value(id);
    if (value.tensor == nullptr || !resolved.weight(id)) continue;
    std::int64_t most = 0;
    for (const graph::NodeId node : model.consumers(id))
      if (const auto touch = analysis::min_read(resolved, node, id))
        most = std::max(most, touch->bytes);
    out.weight_bytes += most;
  }
  for (const graph::ValueId id : model.main().outputs) {
    const std::string_view name = model.value(id).name;
    const bool state = std::ranges::any_of(
        ports.state, [&](const runtime::StatePair& pair) { return pair.output == name; });
    const ops::Dim bytes = ops::type_bytes(resolved.type(id), resolved.dims());
    if (state && bytes.known()) out.cache_bytes += bytes.value();
  }
  return out;
}

/// Most tokens of a request, its prompt among them.
std::uint32_t longest(const std::vector<scenario::TokenRequest>& requests) {
  std::uint32_t out = 0;
  for (const scenario::TokenRequest& r : requests) out = std::max(out, r.prompt + r.tokens);
  return out;
}

class TokenGenerator {
 public:
  TokenGenerator(const TokenGenerationRequest& request, const session::Workbench& bench,
                 const Part& decode, const std::optional<Part>& prefill,
                 const std::vector<scenario::TokenRequest>& all)
      : request_(request), bench_(bench), decode_(decode), prefill_(prefill), requests_(all) {}

  Result<GeneratedPoint> run(const session::Point& point) {
    measure::Request own = TRY(bench_.request(point));
    own.runtime.cpus.clear();  // pinned, all clients would be on one processor
    own.weights_as_is = true;
    runtime::Runtime runtime = TRY(runtime::Runtime::spawn(own.runtime));
    GeneratedPoint out{
        .runtime = runtime.info(), .runtime_name = point.runtime, .threads = point.threads};
    TRY(make_plan(runtime, point, own, out.plan));
    const runtime::GenerationLog log = TRY(runtime::GenerationLog::make(out.plan));
    const runtime::GenerationResult result = TRY(serve(runtime, out.plan, log));
    out.generated = {.requests = log.requests(),
                     .begun_ns = result.begun_ns,
                     .ended_ns = result.ended_ns,
                     .asked = static_cast<std::uint32_t>(requests_.size()),
                     .canceled = result.canceled,
                     .failure = result.failure
                                    ? attribution::with_original_names(result.failure->summary(),
                                                                       *decode_.opened.model)
                                    : ""};
    complete(out.generated);
    out.handed_bytes = result.handed_bytes;
    out.copied_bytes = result.copied_bytes;
    out.compared = result.compared;
    out.buffer_bytes = result.buffer_bytes;
    out.window = result.window;
    out.figures = scenario::figures_of(out.generated, request_.batch, request_.clients);
    out.validity = scenario::validity_of(out.generated, out.figures);
    return out;
  }

  Result<StepBound> bound(const scenario::CacheBin& bin, const session::Point& point,
                          const roofline::Roofs& roofs) {
    const auto length = static_cast<std::int64_t>(std::lround(bin.mean_length));
    const analysis::Resolved resolved = TRY(resolve(
        decode_, point,
        {.batch = request_.batch, .tokens = 1, .cache = std::max<std::int64_t>(1, length)}));
    StepBound out = TRY(min_bytes(resolved, decode_.ports));
    const double rate =
        static_cast<double>(out.bytes()) * 1e9 / static_cast<double>(bin.step.value_ns);
    if (bin.step.value_ns > 0 && rate > 0) out.bytes_per_s = rate;
    const roofline::StreamBound bound = roofline::stream_bound(out.bytes(), roofs);
    if (bound.level.empty()) return out;
    out.time_ns = bound.time_ns;
    out.level_bytes = bound.bytes;
    out.kind = "memory:" + bound.level;
    return out;
  }

 private:
  /// The process ended before it said when it began.
  static void complete(scenario::Generated& generated) {
    if (generated.begun_ns != 0 || generated.requests.empty()) return;
    generated.begun_ns = generated.requests[0].scheduled_ns;
    for (const scenario::RequestRecord& request : generated.requests)
      if (!request.steps.empty())
        generated.ended_ns = std::max(generated.ended_ns, request.steps.back().done_ns);
  }

  Result<runtime::SessionId> load(runtime::Runtime& runtime, const graph::Model& model,
                                  const attribution::Canonical& copy) {
    const std::vector<runtime::Weight> weights = TRY(measure::weights_of(copy));
    const runtime::Loaded loaded = TRY(attribution::with_original_names(
        runtime.load({.model = copy.bytes, .weights = weights, .dump = runtime::Dump::kNothing}),
        model));
    return loaded.session;
  }

  Result<void> make_plan(runtime::Runtime& runtime, const session::Point& point,
                         const measure::Request& own, runtime::GenerationPlan& plan) {
    const std::int64_t prompt = requests_[0].prompt;
    const CanonicalOptions options{.constants = CanonicalOptions::Constants::kAsIs,
                                   .sizes = CanonicalOptions::Sizes::kAsDeclared,
                                   .seed = own.seed};
    plan.prompt_by = request_.given_cache      ? PromptBy::kGivenCache
                     : prefill_                ? PromptBy::kPrefillModel
                     : decode_.ports.one_token ? PromptBy::kTokenByToken
                                               : PromptBy::kAtOnce;
    plan.cache_by = TRY(cache_by(runtime, point));
    if (plan.cache_by == runtime::CacheBy::kShared)
      plan.capacity = longest(requests_) + plan.warmup_steps;
    if (decode_.ports.room > 0) plan.capacity = static_cast<std::uint32_t>(decode_.ports.room);
    const analysis::Resolved resolved =
        TRY(resolve(decode_, point, {.batch = request_.batch, .tokens = 1, .cache = prompt}));
    const attribution::Canonical copy = TRY(attribution::canonicalise(resolved, options));
    plan.decode = decoder_of(decode_.ports, resolved, copy, copy);
    plan.vocabulary = TRY(vocabulary_of(decode_.ports, resolved));
    plan.decode.session = TRY(load(runtime, resolved.model(), copy));
    if (plan.prompt_by == PromptBy::kPrefillModel) {
      const analysis::Resolved first =
          TRY(resolve(*prefill_, point, {.batch = request_.batch, .tokens = prompt}));
      const attribution::Canonical of_prompt = TRY(attribution::canonicalise(first, options));
      plan.prefill = decoder_of(prefill_->ports, first, of_prompt, copy);
      plan.prefill->session = TRY(load(runtime, first.model(), of_prompt));
    }
    plan.clients = request_.clients;
    plan.batch = request_.batch;
    plan.seed = own.seed;
    plan.max_duration = request_.max_duration;
    plan.requests = requests_;
    if (request_.workload.timed || request_.workload.arrivals)
      plan.begin = runtime::RequestsBegin::kAtDueTimes;
    if (point.runtime == "null") {  // it has outputs of no model
      plan.computes = false;
      plan.decode.state.clear();
      if (plan.prefill) plan.prefill->state.clear();
    }
    return {};
  }

  /// One buffer for past and present, as onnxruntime-genai binds GroupQueryAttention, unless the
  /// model, the runtime or the user says otherwise.
  Result<runtime::CacheBy> cache_by(const runtime::Runtime& runtime,
                                    const session::Point& point) const {
    using runtime::CacheBy;
    const bool able = (runtime.info().capabilities & RIDGE_SHARES_BUFFERS) != 0;
    if (request_.cache == CacheBy::kGrow) return CacheBy::kGrow;
    if (!request_.cache)
      return able && decode_.ports.one_buffer && !prefill_ ? CacheBy::kShared : CacheBy::kGrow;
    if (prefill_)
      return usage_error("RIDGE-WB-0233",
                         "--cache shared with --prefill: the prompts' model writes another cache")
          .hint(
              "leave --prefill out, so that the decoder runs prompts into its buffer, or "
              "--cache grow");
    if (!decode_.ports.one_buffer)
      return input_error("RIDGE-WB-0234",
                         "its past and present cannot be one buffer: GroupQueryAttention alone "
                         "reads and writes a cache in place")
          .hint("--cache grow");
    if (!able)
      return environment_error("RIDGE-WB-0235", fmt::format("{} does not write a cache in place",
                                                            runtime.info().name))
          .hint(point.runtime == "ort" ? "--cache grow" : "--cache grow, or --runtime ort");
    return CacheBy::kShared;
  }

  Result<runtime::GenerationResult> serve(runtime::Runtime& runtime,
                                          const runtime::GenerationPlan& plan,
                                          const runtime::GenerationLog& log) {
    Progress* const progress = bench_.environment.progress;
    auto result = runtime.serve(plan, log, [&](std::uint64_t tokens) {
      if (progress != nullptr)
        progress->show(
            fmt::format("generating: {}", counted(static_cast<std::int64_t>(tokens), "token")), 0,
            0);
    });
    bench_.environment.hide_progress();
    return result;
  }

  const TokenGenerationRequest& request_;
  const session::Workbench& bench_;
  const Part& decode_;
  const std::optional<Part>& prefill_;
  const std::vector<scenario::TokenRequest>& requests_;
};

/// The decoder, and the model that runs its prompts.
struct Parts {
  Part decode;
  std::optional<Part> prefill;
};

Result<Parts> open_parts(const TokenGenerationRequest& request,
                         const session::OpenedModel& opened) {
  const GivenInputs given{.sources = request.inputs, .batch = request.batch};
  Parts out{.decode = {opened, {}}, .prefill = {}};
  if (!request.prefill.empty()) out.prefill = Part{TRY(session::open_model(request.prefill)), {}};
  Result<DecoderPorts> ports = decoder_ports(
      *opened.model, request.state, given, out.prefill ? out.prefill->opened.model.get() : nullptr);
  if (!ports.ok()) return std::move(ports).error().in_file(request.model);
  out.decode.ports = *std::move(ports);
  if (!out.prefill) return out;
  ports = prefill_ports(*out.prefill->opened.model, out.decode.ports, request.state, given);
  if (!ports.ok()) return std::move(ports).error().in_file(request.prefill);
  out.prefill->ports = *std::move(ports);
  return out;
}

/// A cache of one size must hold all tokens of a request but its last, which no run takes.
Result<void> check_room(const std::vector<scenario::TokenRequest>& requests,
                        const DecoderPorts& ports) {
  if (ports.room == 0) return {};
  for (const scenario::TokenRequest& r : requests)
    if (std::int64_t{r.prompt} + r.tokens - 1 > ports.room)
      return usage_error(
                 "RIDGE-WB-0232",
                 fmt::format("a request with a prompt of {} and {} to generate does not "
                             "fit the decoder's cache, which has room for {}",
                             counted(r.prompt, "token"), r.tokens, counted(ports.room, "token")))
          .hint(fmt::format("--prompt and --tokens of at most {} together, or export it with a "
                            "longer cache",
                            ports.room + 1));
  return {};
}

/// Bounds of all steps, beside which they are shown.
Result<void> add_bounds(TokenGenerator& generator, GeneratedPoint& done,
                        const session::Point& point, session::RoofSource& roofs) {
  const session::MachineRoofs* known = TRY(roofs.get());
  std::optional<Error> failed;
  for (scenario::CacheBin& bin : done.figures.bins) {
    Result<StepBound> bound = generator.bound(bin, point, known->at(point.threads));
    bin.bound = bound.ok() ? *bound : StepBound{};  // of one length alone
    if (!bound.ok()) failed = std::move(bound).error();
  }
  if (failed) return *std::move(failed);
  return {};
}

/// Generates at one point, and puts the bounds beside its steps.
Result<GeneratedPoint> generate_point(TokenGenerator& generator, const session::Point& point,
                                      const session::Environment& environment,
                                      session::RoofSource& roofs, TokenGeneration& of) {
  Result<GeneratedPoint> done = generator.run(point);
  environment.hide_progress();
  if (!done.ok() && done.error().error_class() == ErrorClass::kInput)
    return std::move(done).error().in_file(of.model);
  GeneratedPoint out = TRY(std::move(done));
  if (environment.stopped() || point.runtime == "null") return out;  // null reads nothing
  const Result<void> bounds = add_bounds(generator, out, point, roofs);
  if (!bounds.ok()) of.no_bounds = bounds.error().summary();
  return out;
}

}  // namespace

Result<TokenGeneration> generate(const TokenGenerationRequest& request,
                                 const session::Environment& environment,
                                 const GenerationKeeping& keeping) {
  TRY(check_generation(request));
  const std::vector<scenario::TokenRequest> requests = TRY(scenario::requests_of(request.workload));
  const session::ProcessorScope scope(environment,
                                      request.spec.pin ? request.spec.threads : std::vector<int>());
  const session::Workbench bench =
      TRY(session::make_workbench(request.model, request.spec, environment));
  Parts parts = TRY(open_parts(request, bench.opened));
  give_room(parts.decode.ports, longest(requests));
  TRY(check_room(requests, parts.decode.ports));
  TokenGeneration out{.model = request.model,
                      .prefill = request.prefill,
                      .graph_hash = graph::structure_hash(*bench.opened.model),
                      .host = profile::machine_name(machine::host_json(environment.host)),
                      .ridge = std::string(version()),
                      .ports = parts.decode.ports,
                      .request = request};
  session::RoofSource roofs(environment, request.spec.threads, request.spec.refresh_roofs);
  ChosenPoints chosen{.points = session::points_of(request.spec), .keys = {}};
  if (keeping.store != nullptr || !keeping.wanted.empty())  // keys hash models
    chosen = TRY(choose_points(request, bench, keeping));
  const GenerationRecorder recorder(keeping, environment);
  TokenGenerator generator(request, bench, parts.decode, parts.prefill, requests);
  for (std::size_t i = 0; i < chosen.points.size() && !environment.stopped(); ++i) {
    const session::Point& point = chosen.points[i];
    GenerationKey* const key = keeping.store == nullptr ? nullptr : &chosen.keys[i];
    if (key != nullptr) {
      TRY(open_runtime(bench, point, *key));
      if (std::optional<GeneratedPoint> before = TRY(recorder.stored(*key, point))) {
        out.points.push_back(std::move(*before));
        continue;
      }
    }
    GeneratedPoint done = TRY(generate_point(generator, point, environment, roofs, out));
    if (key != nullptr) recorder.keep(out, done, *key);
    out.points.push_back(std::move(done));
  }
  return out;
}

}  // namespace ridge::generation
