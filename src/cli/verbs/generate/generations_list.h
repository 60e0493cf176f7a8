// SPDX-License-Identifier: Apache-2.0
// Generations of a store, for ridge runs: their list, and one of them as ridge generate printed it.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "export/table.h"
#include "store/store.h"

namespace ridge::cli {

exports::Table generations_table(const std::vector<store::GenerationRow>& rows);

/// Writes a generation of the store in one of the formats of ridge generate.
Result<void> show_generation(const store::Store& store, store::EvaluationId id,
                             std::string_view format, Sink& sink);

}  // namespace ridge::cli
