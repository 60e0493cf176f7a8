// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/generate/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "base/lines.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/duration.h"
#include "cli/flags/point_option.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/generate/tables.h"
#include "cli/verbs/point_list.h"
#include "generation/document.h"
#include "generation/generation.h"
#include "generation/listing.h"
#include "session/run_recorder.h"

namespace ridge::cli {
namespace {

using generation::GeneratedPoint;
using generation::TokenGeneration;

constexpr std::int64_t kMaxRequestBytes = std::int64_t{64} << 20;
constexpr std::uint32_t kRequests = 3;
constexpr std::string_view kTokens = "64";

Error beside_file(std::string_view flag, std::string_view why, std::string hint) {
  return usage_error("RIDGE-CLI-0200",
                     fmt::format("{} contradicts the file of --prompt: {}", flag, why))
      .hint(std::move(hint));
}

Result<scenario::Workload> workload_of(const GenerateOptions& o) {
  scenario::Workload out;
  out.seed = o.measuring.seed;
  out.count = o.requests > 0 ? o.requests : kRequests;
  if (o.requests_per_s > 0) out.arrivals = scenario::Poisson{.rate = o.requests_per_s};
  if (o.prompt.ends_with(".csv")) {
    if (!o.tokens.empty())
      return beside_file("--tokens", "it has the tokens of each request",
                         "leave --tokens out, or give lengths: --prompt 128 --tokens 64");
    Result<scenario::TokenTrace> trace =
        scenario::read_token_trace(TRY(read_text_file(o.prompt, kMaxRequestBytes)));
    if (!trace.ok()) return std::move(trace).error().in_file(o.prompt);
    out.trace = std::move(trace->requests);
    out.timed = trace->timed;
    if (out.timed && out.arrivals)
      return beside_file("--qps", "it has the due time of each request",
                         "leave --qps out, or the file's column of due times");
    if (out.timed && out.count > out.trace.size() && o.requests > 0)
      return beside_file(
          fmt::format("--requests {}", o.requests),
          fmt::format("it has the due times of {}", counted(std::ssize(out.trace), "request")),
          "ask for at most as many, or leave the file's column of due times out");
    if (o.requests == 0) out.count = static_cast<std::uint32_t>(out.trace.size());
    return out;
  }
  out.prompt = TRY_IN("--prompt", scenario::parse_lengths(o.prompt));
  out.tokens = TRY_IN("--tokens", scenario::parse_lengths(o.tokens.empty() ? kTokens : o.tokens));
  return out;
}

Result<generation::TokenGenerationRequest> generation_asked(const GenerateOptions& options) {
  // Each before the next: clang leaks what a braced list has made when TRY returns from it.
  generation::TokenGenerationRequest request;
  request.model = options.model;
  request.prefill = options.prefill;
  request.spec = TRY(spec_of(options.measuring));
  request.workload = TRY(workload_of(options));
  request.inputs = std::exchange(request.spec.inputs, {});
  if (!options.cache.empty())
    request.cache = options.cache == "shared" ? runtime::CacheBy::kShared : runtime::CacheBy::kGrow;
  if (!options.state.empty()) request.state = TRY(generation::parse_state(options.state));
  request.clients = options.clients;
  request.batch = options.batch;
  request.given_cache = options.given_cache;
  const double seconds = TRY(parse_duration("--max-duration", options.max_duration));
  request.max_duration = Nanos{std::llround(seconds * 1e9)};
  return request;
}

/// Prints the points that would be generated. Creates no store.
Result<int> list_generations(const GenerateOptions& options,
                             const generation::TokenGenerationRequest& request, Console& console) {
  const ConsoleEnvironment environment(console);
  std::optional<store::Store> store;
  if (!options.store.empty()) store = TRY(store::Store::open_if_made(options.store));
  const session::PointList list = TRY(generation::list_points(
      request, *environment, {.store = store ? &*store : nullptr, .wanted = options.points}));
  Output output = TRY(Output::open(options.output, console));
  kPointListDocument.write(options.format, list, output.sink());
  TRY(output.close());
  return kDone;
}

Result<int> run_generate(const GenerateOptions& options, Console& console) {
  const generation::TokenGenerationRequest request = TRY(generation_asked(options));
  if (options.dry_run) return list_generations(options, request, console);
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  std::optional<session::RunRecorder> recorder =
      TRY(session::RunRecorder::open(options.store, *environment));
  Output output = TRY(Output::open(options.output, console));
  using session::Stored;
  const TokenGeneration generation =
      TRY(generation::generate(request, *environment,
                               {.store = recorder ? &recorder->store() : nullptr,
                                .points = options.steps.empty() ? Stored::kSkip : Stored::kRepeat,
                                .wanted = options.points}));
  kGenerationDocument.write(options.format, generation, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.steps.empty())
    writing.done(Output::write(
        options.steps, [&](Sink& sink) { generation::write_steps(generation, sink); }, console));
  if (generation.store_error) writing.failed(*generation.store_error);
  const bool valid = std::ranges::all_of(generation.points, [](const GeneratedPoint& p) {
    return p.validity.state == scenario::State::kValid;
  });
  return writing.status(valid ? kDone : kCheckFailed);
}

}  // namespace

int generate(const GenerateOptions& options, Console& console) {
  const Result<int> status = run_generate(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_generate(Flags& flags) {
  auto o = std::make_shared<GenerateOptions>();
  flags.add("MODEL", o->model, "decoder with a cache: ONNX file, or zoo:NAME").required();
  flags.add("--prefill", o->prefill, "model that runs the prompts; default: MODEL itself")
      .shown_as("MODEL");
  flags
      .add("--prompt", o->prompt,
           "tokens of each prompt: 128, uniform:64,256, lognormal:200,0.5, or a CSV with the "
           "columns "
           "prompt_tokens and output_tokens")
      .shown_as("LENGTHS");
  flags
      .add("--tokens", o->tokens,
           "tokens that each request generates, likewise; default: 64, or those of the CSV")
      .shown_as("LENGTHS");
  flags.add("--requests", o->requests, "requests; default: 3, or those of the CSV").positive();
  flags.add("--clients", o->clients, "requests at the same time").positive();
  flags.add("--batch", o->batch, "sequences of each request").positive();
  flags
      .add("--qps", o->requests_per_s,
           "requests per second, at random due times; default: each "
           "client's next when its last is done")
      .positive();
  flags.add("--given-cache", o->given_cache,
            "run no prompts: begin with caches of their lengths, of random numbers");
  flags
      .add("--state", o->state,
           "outputs that are the inputs of the next run: 'present.*=past.*'; default: the usual "
           "names of caches")
      .shown_as("PAIRS");
  flags
      .add("--cache", o->cache,
           "grow: a run's cache is the next run's; shared: one buffer that runs write to, as "
           "onnxruntime-genai; default: shared where model and runtime can")
      .one_of({"grow", "shared"});
  flags.add("--max-duration", o->max_duration, "time after which no request begins")
      .shown_as("TIME");
  flags.add("--steps", o->steps, "write every step to this file, as CSV")
      .writes(Writes::kFile)
      .shown_as("FILE");
  flags.add("--store", o->store, "run database: stored generations are skipped, new ones are added")
      .writes(Writes::kStore);
  flags.add("--dry-run", o->dry_run,
            "list the points with their keys and which are already stored; generate nothing");
  add_point_option(flags, o->points);
  add_document_options(flags, o->format, o->output, kGenerationDocument.formats(),
                       "write the document to this file");
  add_measuring_options(flags, o->measuring, OptionScope::kLoad);
  return [o](Console& console) { return generate(*o, console); };
}

}  // namespace ridge::cli
