// SPDX-License-Identifier: Apache-2.0
#include "compare/evaluation_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::compare {

std::string EvaluationRun::class_text(std::int64_t number) const {
  const auto named = class_names.find(number);
  return named == class_names.end() ? fmt::format("{}", number)
                                    : fmt::format("{} {}", number, named->second);
}

bool EvaluationRun::numbered() const {
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i] != std::to_string(i)) return false;
  return !samples.empty();
}

const stats::Estimate* EvaluationRun::latency_at(double percentile) const {
  const auto found = std::ranges::find(latency, percentile, &LatencyFigure::percentile);
  return found == latency.end() ? nullptr : &found->ns;
}

}  // namespace ridge::compare
