// SPDX-License-Identifier: Apache-2.0
#include "evaluation/answers/accuracy.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "evaluation/answers/metrics.h"

namespace ridge::evaluation {
namespace {

constexpr std::size_t kShownClasses = 5;

/// "281 tabby 0.52, 285 Egyptian cat 0.31"
std::string answer_text(const pipeline::Answer& answer) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t label, float score) {
    std::string part = fmt::format("{}", label);
    if (parts.size() < answer.names.size()) part += " " + answer.names[parts.size()];
    parts.push_back(fmt::format("{} {}", part, significant(score, 3)));
  };
  if (const auto* scores = std::get_if<pipeline::Scores>(&answer.value))
    for (const pipeline::Ranked& r : pipeline::top(scores->values, kShownClasses))
      add(r.index, r.score);
  if (const auto* ranking = std::get_if<pipeline::Ranking>(&answer.value))
    for (const pipeline::Ranked& r : ranking->classes) {
      if (parts.size() == kShownClasses) break;
      add(r.index, r.score);
    }
  if (const auto* found = std::get_if<pipeline::Detections>(&answer.value))
    for (const pipeline::Detection& d : *found) {
      if (parts.size() == kShownClasses) break;
      add(d.label, d.score);
    }
  if (std::holds_alternative<pipeline::Reading>(answer.value)) return answer.text();
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Result<Judged> judge(const Judging& of) {
  const DataSamples& data = of.loaded.data;
  const bool has_data = !of.asked.source.empty();
  std::unique_ptr<MetricCounter> metric;
  if (has_data) metric = TRY(make_metric(of.asked, data));
  const bool keeps = of.record != nullptr && of.record->samples().empty();
  std::optional<OutputComparison> comparison;
  if (of.record != nullptr && !keeps) comparison.emplace(*of.record);
  Accuracy accuracy;
  TRY(each_sample(of.loaded, [&](std::size_t sample, SampleOutputs outputs) -> Result<void> {
    const std::string place = fmt::format("sample '{}'", data.names[sample]);
    if (keeps) of.record->keep(outputs);
    if (of.files != nullptr) TRY(of.files->add(outputs));
    if (comparison) TRY_IN(place, comparison->add(sample, outputs));
    if (!metric) return {};
    const pipeline::Answer answer =
        TRY_IN(place, pipeline::answer_of(std::move(outputs), of.asked.post));
    if (sample < of.shown) accuracy.answers.push_back(answer_text(answer));
    return metric->add(sample, answer);
  }));
  Judged out;
  if (comparison) out.divergence = comparison->figures();
  if (!metric) return out;
  accuracy.samples = std::ssize(data.names);
  TRY(metric->finish(accuracy));
  out.accuracy = std::move(accuracy);
  return out;
}

}  // namespace ridge::evaluation
