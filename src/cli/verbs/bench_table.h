// SPDX-License-Identifier: Apache-2.0
// Document of ridge bench: a row for each cell of its matrix.
#pragma once

#include "cli/document.h"
#include "session/matrix.h"

namespace ridge::cli {

extern const Document<const session::Matrix&> kBenchDocument;  ///< JSON: ridge.bench/1

}  // namespace ridge::cli
