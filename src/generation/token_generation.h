// SPDX-License-Identifier: Apache-2.0
// A generation of tokens as asked for, and what it showed, a point for each runtime. Plain data;
// generation.h makes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "generation/decoder_ports.h"
#include "runtime/generation.h"
#include "runtime/types.h"
#include "scenario/generation.h"
#include "scenario/token_requests.h"
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
  std::string no_bounds;             ///< reason why there are none; ""
  std::optional<Error> store_error;  ///< set if a point could not be stored: the reason
};

}  // namespace ridge::generation
