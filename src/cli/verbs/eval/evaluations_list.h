// SPDX-License-Identifier: Apache-2.0
// Evaluations of a store, for ridge runs: their list, one of them as ridge eval printed it, and the
// names by which they are called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "export/table.h"
#include "store/store.h"

namespace ridge::cli {

exports::Table evaluations_table(const std::vector<store::EvaluationRow>& rows);

/// Number in "evaluation:7" or "generation:7", as the kind says; nullopt for what names none of the
/// kind. Error: usage class, RIDGE-CLI-0177, where no number follows.
Result<std::optional<store::EvaluationId>> evaluation_number(
    std::string_view name, profile::EvaluationKind kind = profile::EvaluationKind::kEvaluation);

/// Writes an evaluation of the store in one of the formats of ridge eval.
Result<void> show_evaluation(const store::Store& store, store::EvaluationId id,
                             std::string_view format, Sink& sink);

}  // namespace ridge::cli
