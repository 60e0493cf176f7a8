// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/file.h"
#include "evaluation/answers/output_files.h"
#include "pipeline/answer.h"
#include "pipeline/labels.h"

namespace ridge::lab::serve {
namespace {

constexpr std::size_t kFirstValues = 8, kMostClasses = 5, kMostBoxes = 100;
constexpr std::int64_t kLargestLabels = std::int64_t{16} << 20;
constexpr double kMedian = 0.5;

Result<evaluation::SampleOutputs> outputs_of(const evaluation::EvaluatedPoint& point) {
  evaluation::SampleOutputs out;
  for (const accuracy::OutputFile& file : point.outputs) {
    pipeline::OutputValues values{.name = file.output, .dims = {}, .values = {}};
    if (!file.path.empty()) {
      const evaluation::OutputRows rows = TRY(evaluation::OutputRows::open(file));
      values.values = TRY(rows.read(0));
      const runtime::Npy array = TRY(runtime::Npy::open(file.path));
      values.dims.assign(array.header.dims.begin() + 1, array.header.dims.end());
    }
    out.push_back(std::move(values));
  }
  return out;
}

TriedOutput first_values(const pipeline::OutputValues& output) {
  const std::size_t shown = std::min(kFirstValues, output.values.size());
  return {
      .name = output.name,
      .type = "float32",
      .shape = output.dims,
      .first = {output.values.begin(), output.values.begin() + static_cast<std::ptrdiff_t>(shown)}};
}

/// The steps with the names that their files of labels have.
Result<std::vector<pipeline::OutputStep>> with_names(std::vector<pipeline::OutputStep> steps) {
  for (pipeline::OutputStep& step : steps)
    if (auto* labels = std::get_if<pipeline::Labels>(&step))
      labels->names = TRY(pipeline::parse_labels(TRY(read_file(labels->path, kLargestLabels))));
  return steps;
}

TriedClass class_of(const pipeline::Answer& answer, std::size_t at, std::int64_t number,
                    double score) {
  return {
      .number = number, .name = at < answer.names.size() ? answer.names[at] : "", .score = score};
}

std::vector<TriedClass> shares_of(const pipeline::Mask& mask) {
  std::map<std::int64_t, std::size_t> counts;
  for (const std::int32_t c : mask.classes) ++counts[c];
  std::vector<TriedClass> out;
  for (const auto& [number, count] : counts)
    out.push_back({.number = number,
                   .name = {},
                   .score = static_cast<double>(count) / static_cast<double>(mask.classes.size())});
  std::ranges::stable_sort(out, std::ranges::greater(), &TriedClass::score);
  if (out.size() > kMostClasses) out.resize(kMostClasses);
  return out;
}

/// nullopt for a picture, of which outputs say enough.
std::optional<TriedAnswer> shown(const pipeline::Answer& answer) {
  TriedAnswer out;
  std::vector<pipeline::Ranked> ranked;
  if (const auto* scores = std::get_if<pipeline::Scores>(&answer.value))
    ranked = pipeline::top(scores->values, kMostClasses);
  if (const auto* ranking = std::get_if<pipeline::Ranking>(&answer.value))
    ranked = ranking->classes;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMostClasses); ++i)
    out.classes.push_back(class_of(answer, i, ranked[i].index, ranked[i].score));
  if (const auto* found = std::get_if<pipeline::Detections>(&answer.value)) {
    out.kind = AnswerKind::kBoxes;
    for (std::size_t i = 0; i < std::min(found->size(), kMostBoxes); ++i) {
      const pipeline::Detection& d = (*found)[i];
      out.boxes.push_back({.of = class_of(answer, i, d.label, d.score),
                           .left = d.box.left,
                           .top = d.box.top,
                           .right = d.box.right,
                           .bottom = d.box.bottom});
    }
  }
  if (const auto* mask = std::get_if<pipeline::Mask>(&answer.value)) {
    out.kind = AnswerKind::kMask;
    out.classes = shares_of(*mask);
  }
  if (std::holds_alternative<pipeline::Reading>(answer.value)) {
    out.kind = AnswerKind::kText;
    out.text = answer.text();
  }
  if (std::holds_alternative<pipeline::FloatImage>(answer.value)) return std::nullopt;
  return out;
}

}  // namespace

Result<void> add_results(const evaluation::Evaluation& evaluation, TriedPair& pair) {
  const evaluation::EvaluatedPoint& point = evaluation.points.front();
  pair.runtime = point.runtime.name + " " + point.runtime.version;
  pair.queries = point.figures.queries;
  pair.notes = point.validity.reasons;
  for (const scenario::Percentile& p : point.figures.latency.percentiles)
    if (p.share == kMedian && pair.queries > 0) pair.median = p;
  evaluation::SampleOutputs outputs = TRY(outputs_of(point));
  for (const pipeline::OutputValues& output : outputs)
    if (!output.values.empty()) pair.outputs.push_back(first_values(output));
  if (outputs.empty() || !evaluation.data || evaluation.data->of.post.empty()) return {};
  const auto steps = TRY(with_names(evaluation.data->of.post));
  pair.answer = shown(TRY(pipeline::answer_of(std::move(outputs), steps)));
  return {};
}

}  // namespace ridge::lab::serve
