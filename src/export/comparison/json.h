// SPDX-License-Identifier: Apache-2.0
// A comparison as ridge.comparison/1 (data/schema/ridge.comparison.1.json). Within a version, keys
// are only added; a value that cannot be known is null.
#pragma once

#include "compare/rows.h"
#include "record/document_sink.h"

namespace ridge::exports {

/// Writes one document and a newline.
void write_comparison_document(const compare::Comparison& comparison,
                               const record::DocumentSink& out);

}  // namespace ridge::exports
