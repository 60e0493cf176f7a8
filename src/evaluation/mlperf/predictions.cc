// SPDX-License-Identifier: Apache-2.0
#include "evaluation/mlperf/predictions.h"

#include <algorithm>
#include <cmath>

namespace ridge::evaluation {
namespace {

/// Boxes of which coordinates are shares of the model's input, and so of the image where the whole
/// image was resized to it.
bool in_shares(const EvaluationData& data) {
  const auto is_cut = [](const pipeline::Step& step) {
    return std::holds_alternative<pipeline::Crop>(step) ||
           std::holds_alternative<pipeline::Pad>(step);
  };
  if (std::ranges::any_of(data.steps, is_cut)) return false;
  for (const pipeline::OutputStep& step : data.post)
    if (const auto* boxes = std::get_if<pipeline::Boxes>(&step))
      return boxes->unit == pipeline::BoxUnit::kShares;
  return false;
}

}  // namespace

Result<std::optional<std::vector<float>>> prediction_of(SampleOutputs outputs, std::uint64_t sample,
                                                        const EvaluationData& data) {
  using Floats = std::optional<std::vector<float>>;
  // If all scores are NaN -1 is logged, which no label is.
  const auto class_of = [](const std::vector<pipeline::Ranked>& best) {
    const bool none = best.empty() || std::isnan(best[0].score);
    return Floats(std::vector<float>{none ? -1.F : static_cast<float>(best[0].index)});
  };
  if (data.source.empty() || (data.post.empty() && data.metric != Metric::kTopK)) return Floats();
  const pipeline::Answer answer = TRY(pipeline::answer_of(std::move(outputs), data.post));
  if (const auto* scores = std::get_if<pipeline::Scores>(&answer.value);
      scores != nullptr && data.metric == Metric::kTopK)
    return class_of(pipeline::top(scores->values, 1));
  if (const auto* ranking = std::get_if<pipeline::Ranking>(&answer.value))
    return class_of(ranking->classes);
  const auto* found = std::get_if<pipeline::Detections>(&answer.value);
  if (found == nullptr || !in_shares(data)) return Floats();
  std::vector<float> rows;
  for (const pipeline::Detection& d : *found)
    rows.insert(rows.end(), {static_cast<float>(sample), d.box.top, d.box.left, d.box.bottom,
                             d.box.right, d.score, static_cast<float>(d.label)});
  return Floats(std::move(rows));
}

}  // namespace ridge::evaluation
