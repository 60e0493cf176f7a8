#include "accuracy/top_k.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kTopKAccuracy = "top-k accuracy";

TopK counted_right(std::vector<std::uint8_t> correct, double confidence) {
  const auto right = std::accumulate(correct.begin(), correct.end(), std::int64_t{0});
  return {proportion(right, static_cast<std::int64_t>(correct.size()), confidence),
          std::move(correct)};
}

/// True if class `a` ranks before class `b`.
bool before(std::span<const float> scores, std::size_t a, std::size_t b) {
  if (std::isnan(scores[a]) != std::isnan(scores[b])) return std::isnan(scores[b]);
  if (std::isnan(scores[a]) || scores[a] == scores[b]) return a < b;
  return scores[a] > scores[b];
}

}  // namespace

std::size_t rank_of(std::span<const float> scores, std::size_t label) {
  if (std::isnan(scores[label])) return scores.size();
  std::size_t rank = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) rank += before(scores, c, label) ? 1 : 0;
  return rank;
}

std::size_t top_class(std::span<const float> scores) {
  std::size_t top = 0;
  for (std::size_t c = 1; c < scores.size(); ++c)
    if (before(scores, c, top)) top = c;
  return top;
}

Result<TopK> top_k(std::span<const float> scores, std::size_t classes,
                   std::span<const std::int64_t> labels, std::size_t k, double confidence) {
  if (classes == 0 || k == 0 || k > classes)
    return bad_parameter(kTopKAccuracy,
                         fmt::format("k is {}, and there are {} classes", k, classes),
                         "k is at least 1 and at most the number of classes");
  if (scores.size() % classes != 0 || scores.size() / classes != labels.size())
    return sizes_differ(kTopKAccuracy, labels.size(), "labels", scores.size(),
                        fmt::format("scores of {} classes each", classes));
  std::vector<std::uint8_t> correct(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || static_cast<std::uint64_t>(labels[i]) >= classes)
      return out_of_range(kTopKAccuracy, fmt::format("label of sample {}", i), labels[i], classes);
    const auto row = scores.subspan(i * classes, classes);
    correct[i] = rank_of(row, static_cast<std::size_t>(labels[i])) < k ? 1 : 0;
  }
  return counted_right(std::move(correct), confidence);
}

Result<TopK> exact_classes(std::span<const std::int64_t> predicted,
                           std::span<const std::int64_t> labels, double confidence) {
  if (predicted.size() != labels.size())
    return sizes_differ(kTopKAccuracy, labels.size(), "labels", predicted.size(), "predictions");
  std::vector<std::uint8_t> correct(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) correct[i] = predicted[i] == labels[i] ? 1 : 0;
  return counted_right(std::move(correct), confidence);
}

}  // namespace ridge::accuracy
