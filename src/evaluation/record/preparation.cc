#include "evaluation/record/preparation.h"

#include <utility>

#include "pipeline/step_text.h"
#include "stats/block_median.h"

namespace ridge::evaluation {

Preparation preparation_of(const EvaluatedData& data) {
  Preparation out;
  out.samples_ns.resize(data.names.size());
  std::vector<std::vector<double>> by_step(data.of.steps.size() + 1);
  for (const StepSpan& span : data.steps) {
    const std::int64_t ns = span.end_ns - span.begin_ns;
    out.samples_ns.at(span.sample) += ns;
    by_step.at(static_cast<std::size_t>(span.step + 1)).push_back(static_cast<double>(ns));
  }
  for (std::size_t i = 0; i < by_step.size(); ++i)
    out.steps.push_back({i == 0 ? "read" : pipeline::print_step(data.of.steps[i - 1]),
                         stats::BlockMedian({&by_step[i], 1}).value()});
  const std::vector<double> samples(out.samples_ns.begin(), out.samples_ns.end());
  const stats::BlockMedian median({&samples, 1});
  out.median_ns = median.value();
  out.interval = median.interval(0.95);
  return out;
}

}  // namespace ridge::evaluation
