// SPDX-License-Identifier: Apache-2.0
// Tables and lines of a generation for the console.
#pragma once

#include <string>

#include "cli/document.h"
#include "export/table.h"
#include "generation/generation.h"

namespace ridge::cli {

/// Times of steps over the length of the cache, beside their bounds. `exact`: whole nanoseconds.
exports::Table steps_table(const generation::TokenGeneration& generation, bool exact);

/// Figures of each runtime, in a few lines.
std::string generation_text(const generation::TokenGeneration& generation);

extern const Document<const generation::TokenGeneration&> kGenerationDocument;

}  // namespace ridge::cli
