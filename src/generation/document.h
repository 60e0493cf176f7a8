// SPDX-License-Identifier: Apache-2.0
// A generation as the document ridge.generation/1, and its steps as CSV.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "generation/token_generation.h"
#include "record/document_sink.h"

namespace ridge::generation {

/// Bytes of a document.
inline constexpr std::int64_t kLargestGeneration = std::int64_t{512} << 20;

/// Content of a document: points without requests and steps; of the request what its description
/// can set. Errors: input class, as record/json_read.h.
Result<TokenGeneration> read_generation(std::string_view document);

void write_generation(const TokenGeneration& generation, const record::DocumentSink& out);

/// One line a step: runtime, request, kind, tokens in the cache, the token that it gave, moments.
void write_steps(const TokenGeneration& generation, Sink& sink);

}  // namespace ridge::generation
