// SPDX-License-Identifier: Apache-2.0
// Document of ridge bench: a row for each cell of its matrix.
#pragma once

#include <cstdint>

#include "cli/document.h"
#include "session/matrix.h"

namespace ridge::cli {

/// Whether tables have the keys of points; JSON and CSV always do.
enum class Keys : std::uint8_t { kHidden, kShown };

extern const Document<const session::Matrix&, Keys> kBenchDocument;  ///< JSON: ridge.bench/1

}  // namespace ridge::cli
