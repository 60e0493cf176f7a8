// SPDX-License-Identifier: Apache-2.0
// A generation as the document ridge.generation/1, and its steps as CSV.
#pragma once

#include "base/sink.h"
#include "generation/generation.h"
#include "record/document_sink.h"

namespace ridge::generation {

void write_generation(const TokenGeneration& generation, const record::DocumentSink& out);

/// One line a step: runtime, request, kind, tokens in the cache, the token that it gave, moments.
void write_steps(const TokenGeneration& generation, Sink& sink);

}  // namespace ridge::generation
