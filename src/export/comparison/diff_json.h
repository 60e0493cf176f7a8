// SPDX-License-Identifier: Apache-2.0
// Changes between two models as ridge.diff/1 (data/schema/ridge.diff.1.json).
#pragma once

#include "export/comparison/diff_table.h"
#include "record/document_sink.h"

namespace ridge::exports {

/// Writes the document and a newline. `rows`: as in write_diff_csv.
void write_diff_document(const compare::Diff& diff, const DiffSides& sides, DiffRows rows,
                         const record::DocumentSink& out);

}  // namespace ridge::exports
