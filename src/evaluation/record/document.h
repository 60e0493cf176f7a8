// JSON of an evaluation, schema ridge.evaluation/1, and its queries as CSV.
#pragma once

#include "base/sink.h"
#include "evaluation/record/evaluation.h"

namespace ridge::evaluation {

void write_evaluation(const Evaluation& evaluation, Sink& sink);
/// Document of an evaluation with these points.
void write_evaluation(const Evaluation& evaluation, std::span<const EvaluatedPoint> points,
                      Sink& sink);

/// Writes every query as CSV: runtime, the moments in nanoseconds after the beginning of its load,
/// how late it was issued, its sample, 1 if it failed, and 1 if it is of the warm-up.
void write_queries(const Evaluation& evaluation, Sink& sink);

}  // namespace ridge::evaluation
