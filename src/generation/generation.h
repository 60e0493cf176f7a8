// SPDX-License-Identifier: Apache-2.0
// Generates tokens with a decoder in one or several runtimes, one after the other, each in a
// process of its own, and puts the time of a step beside its bound.
//
//   TokenGenerationRequest request{.model = "zoo:llama_decode", .prefill = "zoo:llama_prefill"};
//   request.workload = {.prompt = {128, 128}, .tokens = {64, 64}};
//   const TokenGeneration g = TRY(generate(request, environment));
//   for (const GeneratedPoint& p : g.points) p.figures.bins[0].bound
//
// The cache goes from run to run without a copy (runtime/generation.h). The bound of a step is the
// time that the memory needs for the bytes that any implementation must read: the weights (of those
// that a lookup reads, the rows alone) and the cache at that length. They are held to the read roof
// of each level, less what the levels before it may keep (roofline/bound.h, stream_bound). Ctrl-C
// keeps what is done. Errors: as decoder_ports.h, and the analysis's; usage class for several
// threads or sizes (RIDGE-WB-0202), no room for a request (RIDGE-WB-0232), a shared cache with a
// model for prompts (RIDGE-WB-0233); input class for a shared cache of a model that has none
// (RIDGE-WB-0234); environment class for a runtime that shares none (RIDGE-WB-0235); the errors of
// the runtime before it begins.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generation/decoder_ports.h"
#include "runtime/generation.h"
#include "runtime/types.h"
#include "scenario/generation.h"
#include "scenario/token_requests.h"
#include "session/environment.h"
#include "session/measure_spec.h"

namespace ridge::generation {

struct TokenGenerationRequest {
  std::string model;          ///< the decoder
  std::string prefill;        ///< the model that runs prompts; "": the decoder does
  session::MeasureSpec spec;  ///< runtimes, threads of each run, sizes, options
  scenario::Workload workload;
  std::vector<StatePattern> state = default_state();
  std::map<std::string, std::string> inputs;  ///< values that every run gets (decoder_inputs.h)
  std::optional<runtime::CacheBy> cache;      ///< none: shared where the model and the runtime can
  std::uint32_t clients = 1, batch = 1;
  bool given_cache = false;  ///< no prompts are run: caches of their lengths are given
  Nanos max_duration{600'000'000'000};
};

struct GeneratedPoint {
  runtime::RuntimeInfo runtime;
  std::string runtime_name;  ///< "ort"
  int threads = 1;
  runtime::GenerationPlan plan;
  scenario::Generated generated;
  scenario::GenerationFigures figures;
  scenario::Validity validity;
  /// As in runtime::GenerationResult.
  std::int64_t handed_bytes = 0, copied_bytes = 0, compared = 0, buffer_bytes = 0, window = 0;
};

struct TokenGeneration {
  std::string model, prefill, graph_hash, host, ridge;
  DecoderPorts ports;
  TokenGenerationRequest request;
  std::vector<GeneratedPoint> points;
  std::string no_bounds;  ///< reason why there are none; ""
};

Result<TokenGeneration> generate(const TokenGenerationRequest& request,
                                 const session::Environment& environment);

}  // namespace ridge::generation
