// Data of the page of an evaluation: each runtime's load with its figures, and what they mean.
// See report/evaluation/page.h.
//
//   EvaluationView view{.model = "net.onnx", .scenario = scenario, .points = {...}};
//   view.points[0].load = &load;
//
// Ownership: points borrow their loads, figures and validities. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/evaluation.h"
#include "scenario/peak_search.h"

namespace ridge::report {

/// A figure that is estimated from samples.
struct SampledFigure {
  std::string name;  ///< "top1"
  double value = 0;
  std::optional<stats::Interval> interval;
  std::string unit = "share";  ///< as in accuracy/metrics.h: a share is written in percent
  std::string what = {};       ///< one phrase

  bool is_share() const { return unit == "share"; }
  /// Returns the value in the figure's unit: "75.00 %", "31.2 dB".
  std::string text(double number) const;
};

/// Differences of one output from that of the first runtime, over all samples.
struct ShownDivergence {
  std::string output;
  std::int64_t samples = 0;
  std::optional<SampledFigure> agreement, kl, js;  ///< none for outputs that are no scores
  double largest_absolute = 0, mean_absolute = 0;
};

struct EvaluationAnswers {
  std::int64_t samples = 0;
  std::vector<SampledFigure> figures;
  std::vector<std::int64_t> predicted;  ///< class of each sample; empty where it has none
  std::map<std::int64_t, std::string> class_names;  ///< where known
};

/// A step of the application before the model: one part of what a sample takes.
struct ShownStep {
  std::string name;  ///< "resize"
  double mean_ns = 0, median_ns = 0;
  std::int64_t count = 0;  ///< samples
};

/// Sums over the spans of one level (trace/application_stack.h).
struct ShownLevel {
  std::string name;  ///< "query", "run", "layer"
  std::int64_t spans = 0;
  double time_ns = 0, below_ns = 0;
  std::int64_t exceeding = 0;
  double max_excess_ns = 0;
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
  std::vector<ShownDivergence> divergence;  ///< for each output; empty for the first runtime
};

struct EvaluationView {
  std::string model, host, ridge, data;
  scenario::Scenario scenario;  ///< as asked
  std::optional<scenario::LatencyBound> bound;
  bool load = true;                            ///< false: answers alone
  bool find_peak = false;                      ///< the rate was searched
  std::vector<std::string> sample_names = {};  ///< names of the data's samples
  std::vector<std::int64_t> labels = {};       ///< true class of each sample; empty where unknown
  std::map<std::size_t, std::string> pictures = {};  ///< PNG files of samples
  std::vector<ShownStep> steps;                      ///< before the model, in their order
  std::vector<ShownLevel> levels;  ///< levels of the trace, if queries were profiled
  std::vector<EvaluationPoint> points;
};

/// Returns true if figures of a load are known; those of a point from a store come without queries.
bool has_figures(const EvaluationPoint& point);
/// Returns true if the point has queries to show.
bool has_queries(const EvaluationPoint& point);
/// "ONNX Runtime 1.31.1", printable, not escaped.
std::string title_of(const EvaluationPoint& point);
/// Returns what the scenario does, in one sentence.
std::string scenario_sentence(const EvaluationView& view);
/// "<p class="keys">" with a dot in its color for each point; "" for a single one.
std::string points_legend(const EvaluationView& view);

}  // namespace ridge::report
