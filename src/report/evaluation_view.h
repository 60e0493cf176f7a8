// Data of the page of an evaluation: each runtime's load with its figures, and what they mean.
// See report/evaluation_page.h.
//
//   EvaluationView view{.model = "net.onnx", .scenario = scenario, .points = {...}};
//   view.points[0].load = &load;
//
// Ownership: points borrow their loads, figures and validities. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/evaluation.h"
#include "scenario/peak_search.h"

namespace ridge::report {

/// A figure that is estimated from samples.
struct SampledFigure {
  std::string name;  ///< "top-1"
  double value = 0;
  std::optional<stats::Interval> interval;
};

struct EvaluationAnswers {
  std::int64_t samples = 0;
  std::vector<SampledFigure> figures;
  std::vector<std::int64_t> predicted;  ///< class of each sample; empty where it has none
};

/// A step of the application before the model: one part of what a sample takes.
struct ShownStep {
  std::string name;  ///< "resize"
  double mean_ns = 0, median_ns = 0;
  std::int64_t count = 0;  ///< samples
};

/// What the spans of one level consist of (trace/application_stack.h).
struct ShownLevel {
  std::string name;  ///< "query", "run", "layer"
  std::int64_t spans = 0;
  double time_ns = 0, below_ns = 0;
  std::int64_t exceeding = 0;
  double most_excess_ns = 0;
};

struct EvaluationPoint {
  std::string runtime, version;
  int threads = 1;
  std::uint32_t samples = 0;    ///< sets of inputs
  scenario::Scenario scenario;  ///< as run
  const scenario::Load* load = nullptr;
  const scenario::Figures* figures = nullptr;
  const scenario::Validity* validity = nullptr;
  std::optional<scenario::Peak> peak;
  std::optional<EvaluationAnswers> answers;
};

struct EvaluationView {
  std::string model, host, ridge, data;
  scenario::Scenario scenario;  ///< as asked
  std::optional<scenario::LatencyBound> bound;
  bool load = true;                ///< false: answers alone
  bool find_peak = false;          ///< the rate was searched
  std::vector<ShownStep> steps;    ///< before the model, in their order
  std::vector<ShownLevel> levels;  ///< of the trace, if queries were profiled
  std::vector<EvaluationPoint> points;
};

/// Whether the point has queries to show.
bool has_queries(const EvaluationPoint& point);
/// "ONNX Runtime 1.31.1", printable, not escaped.
std::string title_of(const EvaluationPoint& point);
/// What the scenario does, in one sentence.
std::string scenario_sentence(const EvaluationView& view);
/// duration() without zeros at its end: "500 µs", "1.5 ms", "0".
std::string short_duration(double ns);
/// "1,234"
std::string count_text(std::int64_t count);
/// "<p class="keys">" with a dot in its color for each point; "" for a single one.
std::string points_legend(const EvaluationView& view);
/// A key in a legend: a square of the color, and words.
std::string colored_key(std::string_view color, std::string_view words);

}  // namespace ridge::report
