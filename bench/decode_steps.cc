// SPDX-License-Identifier: Apache-2.0
// The time per token of a decoder whose cache is handed from run to run, against plain runs of the
// step alone at that length of the cache, in turns: the ratio of both with its interval, for each
// length.
//
//   ridge_decode_steps [MODEL [RUNTIME [LENGTH...]]]     zoo:llama_decode ort 1 128 1024
//
// Needs an otherwise idle machine. A turn is kSteps tokens from a given cache around that length,
// and as many plain runs of the same loaded model at their mean length; in every other turn these
// come first. Expect minutes for a large decoder.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/number.h"
#include "cli/descriptor_sink.h"
#include "cli/measuring_environment.h"
#include "generation/decoder_ports.h"
#include "measure/material.h"
#include "runtime/child/child.h"
#include "runtime/runtime.h"
#include "session/workbench.h"
#include "stats/samples.h"

namespace ridge {
namespace {

constexpr std::uint32_t kSteps = 8, kTurns = 121;

struct Decoder {
  runtime::Runtime runtime;
  runtime::GenerationPlan plan;
};

/// Medians of one turn, in nanoseconds.
struct Turn {
  double looped = 0, run = 0, plain = 0;
};

Result<void> loop(Decoder& d, std::uint32_t length, Turn& out) {
  // The first step finds the given cache, which no run has written: it does not count.
  d.plan.requests = {{0, std::max(1U, length > kSteps / 2 ? length - kSteps / 2 : 1U), kSteps + 1}};
  const runtime::GenerationLog log = TRY(runtime::GenerationLog::make(d.plan));
  const runtime::GenerationResult result = TRY(d.runtime.serve(d.plan, log));
  if (result.failure) return Error(*result.failure);
  if (result.copied_bytes != 0) return bug("the cache was copied", "decode_steps");
  std::vector<double> looped, run;
  const runtime::RequestRecord record = log.requests().at(0);
  for (std::size_t i = 1; i < record.steps.size(); ++i) {
    looped.push_back(static_cast<double>(record.steps[i].took_ns()));
    run.push_back(static_cast<double>(record.steps[i].run_ns));
  }
  out.looped = stats::median(looped);
  out.run = stats::median(run);
  return {};
}

Result<void> run_plainly(Decoder& d, const measure::Material& plain, Turn& out) {
  TRY(d.runtime.set_inputs(d.plan.decode.session, plain.inputs));
  const runtime::Measurement m = TRY(d.runtime.measure(
      d.plan.decode.session,
      {.warmup_runs = 1, .profiled_per_round = 0, .min_rounds = kSteps, .max_rounds = kSteps}));
  std::vector<double> runs;
  for (const runtime::Sample& sample : m.samples)
    if (sample.mode == runtime::Mode::kUnprofiled)
      runs.push_back(static_cast<double>(sample.wall.count));
  out.plain = stats::median(runs);
  return {};
}

Result<void> measure_length(Decoder& d, const session::Workbench& bench,
                            const generation::DecoderPorts& ports, const session::Point& point,
                            std::uint32_t length) {
  const std::uint32_t first = length > kSteps / 2 ? length - kSteps / 2 : 1;
  const auto mean = std::int64_t{first} + (kSteps + 1) / 2;
  const measure::Request own = TRY(bench.request(point));
  const analysis::Resolved at = TRY(analysis::resolve(
      bench.opened.model,
      sizes_of(*bench.opened.model, ports, {.batch = 1, .tokens = 1, .cache = mean}, {}),
      bench.opened.defaults));
  const measure::Material plain =
      TRY(measure::prepare(at, own, attribution::CanonicalOptions::Sizes::kAsDeclared));
  std::vector<double> ratios, share, looped, plains;
  for (std::uint32_t i = 0; i <= kTurns; ++i) {
    Turn t;
    if (i % 2 == 1) TRY(run_plainly(d, plain, t));
    TRY(loop(d, length, t));
    if (i % 2 == 0) TRY(run_plainly(d, plain, t));
    if (i == 0) continue;
    ratios.push_back(t.looped / t.plain);
    share.push_back(t.run / t.looped);
    looped.push_back(t.looped);
    plains.push_back(t.plain);
  }
  const auto interval = stats::median_interval(ratios);
  fmt::print(
      "{:>6}: with the cache handed over {:.3f} ms a token, plain {:.3f} ms, ratio {:.4f} "
      "({:.4f} to {:.4f}), of a token {:.2f} % in the run\n",
      length, stats::median(looped) * 1e-6, stats::median(plains) * 1e-6, stats::median(ratios),
      interval ? interval->lo : 0, interval ? interval->hi : 0, 100 * stats::median(share));
  std::fflush(stdout);
  return {};
}

Result<void> run(const std::string& model, const std::string& runtime,
                 const std::vector<std::uint32_t>& lengths) {
  cli::DescriptorSink out(STDOUT_FILENO, 0), err(STDERR_FILENO, 0);
  cli::Console console{out, err};
  const cli::ConsoleEnvironment environment(console);
  session::MeasureSpec spec;
  spec.runtimes = {runtime};
  const session::Workbench bench = TRY(make_workbench(model, spec, *environment));
  const generation::DecoderPorts ports =
      TRY(generation::decoder_ports(*bench.opened.model, generation::default_state()));
  const session::Point point{.bindings = {}, .threads = 1, .runtime = runtime};
  const measure::Request own = TRY(bench.request(point));
  const analysis::Resolved resolved = TRY(analysis::resolve(
      bench.opened.model,
      sizes_of(*bench.opened.model, ports, {.batch = 1, .tokens = 1, .cache = lengths[0]}, {}),
      bench.opened.defaults));
  const attribution::Canonical copy = TRY(attribution::canonicalise(
      resolved, {.sizes = attribution::CanonicalOptions::Sizes::kAsDeclared}));
  Decoder d{.runtime = TRY(runtime::Runtime::spawn(own.runtime)), .plan = {}};
  d.plan.decode = decoder_of(ports, resolved, copy, copy);
  d.plan.prompt_by = runtime::PromptBy::kGivenCache;
  d.plan.vocabulary = TRY(vocabulary_of(ports, resolved));
  d.plan.warmup_steps = 0;
  const std::vector<runtime::Weight> weights = TRY(measure::weights_of(copy));
  d.plan.decode.session =
      TRY(d.runtime.load(
              {.model = copy.bytes, .weights = weights, .dump = runtime::Dump::kNothing}))
          .session;
  for (const std::uint32_t length : lengths) TRY(measure_length(d, bench, ports, point, length));
  return {};
}

}  // namespace
}  // namespace ridge

int main(int argc, char** argv) {
  using namespace ridge;
  if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
  std::vector<std::uint32_t> lengths;
  for (int i = 3; i < argc; ++i)
    lengths.push_back(std::max(1U, whole_number<std::uint32_t>(argv[i]).value_or(1)));
  if (lengths.empty()) lengths = {1, 128, 1024};
  const Result<void> done =
      run(argc > 1 ? argv[1] : "zoo:llama_decode", argc > 2 ? argv[2] : "ort", lengths);
  if (!done.ok()) fmt::print(stderr, "{}", done.error().text());
  return done.ok() ? 0 : 1;
}
