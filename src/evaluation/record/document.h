// SPDX-License-Identifier: Apache-2.0
// Documents of evaluations, schema ridge.evaluation/1 (record/describe.h says what they have), and
// their queries as CSV.
//
//   write_evaluation(evaluation, sink);
//   const Evaluation again = TRY(read_evaluation(document));
//
// Documents have neither queries nor spans, and of the scenario what a reader of figures needs: of
// the process of arrivals its name and mean rate. What was read is written as it was. Errors of the
// reader: input class, as record/json_read.h, with the path of the fault. Safe on hostile text.
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "evaluation/record/evaluation.h"
#include "record/document_sink.h"

namespace ridge::evaluation {

/// Bytes of a document.
inline constexpr std::int64_t kLargestEvaluation = std::int64_t{512} << 20;

void write_evaluation(const Evaluation& evaluation, const record::DocumentSink& out);
Result<Evaluation> read_evaluation(std::string_view document);

/// Writes every query as CSV: runtime, the moments in nanoseconds after the beginning of its load,
/// how late it was issued, its sample, 1 if it failed, and 1 if it is of the warm-up.
void write_queries(const Evaluation& evaluation, Sink& sink);

}  // namespace ridge::evaluation
