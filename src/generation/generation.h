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

#include "generation/keeping.h"
#include "generation/token_generation.h"
#include "session/environment.h"

namespace ridge::generation {

/// `keeping`: its store keeps each point as soon as it is done, and its points are not generated
/// again; those have no requests and steps.
Result<TokenGeneration> generate(const TokenGenerationRequest& request,
                                 const session::Environment& environment,
                                 const GenerationKeeping& keeping = {});

}  // namespace ridge::generation
