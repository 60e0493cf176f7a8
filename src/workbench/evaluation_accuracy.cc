#include "workbench/evaluation_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "accuracy/top_k.h"

namespace ridge::workbench {
namespace {

/// Sets that run in one call, so that outputs in memory stay few.
constexpr std::uint32_t kTogether = 256;

Error refused(std::string message) { return input_error("RIDGE-WB-0114", std::move(message)); }

/// Appends the rows of the scores of a batch, of which `rows` count.
Result<std::size_t> append_scores(const runtime::Outputs& outputs, std::int64_t batch,
                                  std::size_t rows, std::vector<float>& scores) {
  for (const runtime::OutputTensor& output : outputs.tensors) {
    const std::vector<std::int64_t>& dims = output.type.dims;
    if (output.type.type != onnx::DataType::kFloat || dims.empty() || dims[0] != batch) continue;
    const std::size_t classes =
        output.bytes.size() / sizeof(float) / static_cast<std::size_t>(batch);
    const std::size_t before = scores.size();
    scores.resize(before + rows * classes);
    std::memcpy(&scores[before], output.bytes.data(), rows * classes * sizeof(float));
    return classes;
  }
  return refused("the model has no output of float32 with a row for each sample");
}

}  // namespace

Result<Accuracy> judge(runtime::Runtime& runtime, runtime::SessionId session,
                       const DataSamples& data) {
  const auto sets = static_cast<std::uint32_t>(data.samples.sets.size());
  const std::int64_t batch = data.samples.sets.at(0).at(0).dims.at(0);
  std::vector<float> scores;
  std::size_t classes = 0, left = data.names.size();
  for (std::uint32_t first = 0; first < sets; first += kTogether) {
    const std::uint32_t count = std::min(kTogether, sets - first);
    for (const runtime::Outputs& outputs : TRY(runtime.outputs_of(session, first, count))) {
      const std::size_t rows = std::min(left, static_cast<std::size_t>(batch));
      classes = TRY(append_scores(outputs, batch, rows, scores));
      left -= rows;
    }
  }
  if (classes == 0) return refused("the model's scores are empty");
  Accuracy out{.classes = static_cast<std::int64_t>(classes),
               .top1 = {},
               .top5 = {},
               .predicted = {},
               .correct = {}};
  for (std::size_t at = 0; at < scores.size(); at += classes)
    out.predicted.push_back(
        static_cast<std::int64_t>(accuracy::top_class(std::span(scores).subspan(at, classes))));
  if (data.labels.empty()) return out;
  const auto largest = std::ranges::max(data.labels);
  if (largest >= out.classes)
    return refused(fmt::format("a label is class {}, the model has {} classes", largest, classes));
  accuracy::TopK top1 = TRY(accuracy::top_k(scores, classes, data.labels, 1));
  out.top1 = top1.figure;
  out.correct = std::move(top1.correct);
  if (classes > 5) out.top5 = TRY(accuracy::top_k(scores, classes, data.labels, 5)).figure;
  return out;
}

}  // namespace ridge::workbench
