// SPDX-License-Identifier: Apache-2.0
#include "evaluation/record/preparation.h"

#include "pipeline/step_text.h"
#include "stats/block_median.h"

namespace ridge::evaluation {

Preparation preparation_of(const EvaluationData& data, std::size_t samples,
                           std::span<const StepSpan> spans) {
  Preparation out;
  out.samples_ns.resize(samples);
  std::vector<std::vector<double>> by_step(data.steps.size() + 1);
  for (const StepSpan& span : spans) {
    const std::int64_t ns = span.end_ns - span.begin_ns;
    out.samples_ns.at(span.sample) += ns;
    by_step.at(static_cast<std::size_t>(span.step + 1)).push_back(static_cast<double>(ns));
  }
  for (std::size_t i = 0; i < by_step.size(); ++i)
    out.steps.push_back({i == 0 ? "read" : pipeline::print_step(data.steps[i - 1]),
                         stats::BlockMedian({&by_step[i], 1}).value()});
  return out;
}

}  // namespace ridge::evaluation
