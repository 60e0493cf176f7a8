// SPDX-License-Identifier: Apache-2.0
// Tables of an evaluation for readers.
#pragma once

#include <string>

#include "cli/document.h"
#include "evaluation/record/evaluation.h"
#include "export/table.h"

namespace ridge::cli {

/// A row for each runtime and percentile. `exact`: plain nanoseconds, for spreadsheets.
exports::Table table_of(const evaluation::Evaluation& evaluation, bool exact);

/// A paragraph for each runtime: rates, lateness, validity with reasons.
std::string rates_text(const evaluation::Evaluation& evaluation);

/// The document of ridge eval.
extern const Document<const evaluation::Evaluation&> kEvaluationDocument;

}  // namespace ridge::cli
