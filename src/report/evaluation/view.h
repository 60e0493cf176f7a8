// SPDX-License-Identifier: Apache-2.0
// Content of the page of an evaluation (report/evaluation/page.h), and names of its points.
//
//   EvaluationView view = report_view(evaluation);
//
// Ownership: borrows the evaluation. Thread rule: plain data; pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/record/evaluation.h"
#include "trace/application_stack.h"

namespace ridge::report {

using evaluation::Accuracy;
using evaluation::EvaluatedData;
using evaluation::EvaluatedPoint;
using evaluation::Evaluation;
using evaluation::NamedFigure;

/// A step of the application before the model: one part of what a sample takes.
struct ShownStep {
  std::string name;  ///< "resize"
  double mean_ns = 0, median_ns = 0;
  std::int64_t count = 0;  ///< samples
};

struct EvaluationView {
  const Evaluation& evaluation;
  std::vector<ShownStep> steps;           ///< before the model, in their order
  std::vector<trace::StackLevel> levels;  ///< levels of the trace, if queries were profiled
};

/// True for metrics that are written in percent (accuracy/metrics.h).
bool is_share(std::string_view metric);
/// A value in the unit of the figure's metric: "75.00 %", "31.2 dB".
std::string figure_text(const NamedFigure& figure, double number);
/// Figures that have a value.
std::vector<const NamedFigure*> known_figures(const Accuracy& accuracy);

/// True if the largest rate was searched.
bool searches_peak(const Evaluation& evaluation);
/// Returns true if figures of a load are known; a point from a store comes without queries.
bool has_figures(const EvaluatedPoint& point);
/// Returns true if the point has queries to show.
bool has_queries(const EvaluatedPoint& point);
/// "ONNX Runtime 1.31.1", printable, not escaped.
std::string title_of(const EvaluatedPoint& point);
/// Returns what the scenario does, in one sentence.
std::string scenario_sentence(const Evaluation& evaluation);
/// "<p class="keys">" with a dot in its color for each point; "" for a single one.
std::string points_legend(const Evaluation& evaluation);

}  // namespace ridge::report
