// Oracle: a stable sort of the classes by falling score, NaN last.
#include "accuracy/top_k.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

constexpr float kNanScore = std::numeric_limits<float>::quiet_NaN();

std::vector<std::size_t> sorted_classes(std::span<const float> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const float x = std::isnan(scores[a]) ? -2 * INFINITY : scores[a];
    const float y = std::isnan(scores[b]) ? -2 * INFINITY : scores[b];
    if (std::isnan(scores[a]) || std::isnan(scores[b]))
      return !std::isnan(scores[a]) && std::isnan(scores[b]);
    return x > y;
  });
  return order;
}

TEST(TopK, CountsAsASortDoes) {
  stats::Random random(1);
  constexpr std::size_t kClasses = 7, kSamples = 500;
  std::vector<float> scores(kClasses * kSamples);
  // Few different scores make ties, and some are not numbers.
  for (float& s : scores) {
    s = static_cast<float>(random.below(6));
    if (s == 5) s = random.below(2) == 0 ? kNanScore : -INFINITY;
  }
  std::vector<std::int64_t> labels(kSamples);
  for (auto& label : labels) label = static_cast<std::int64_t>(random.below(kClasses));
  for (std::size_t k = 1; k <= kClasses; ++k) {
    const auto found = top_k(scores, kClasses, labels, k);
    ASSERT_TRUE(found);
    std::int64_t right = 0;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const auto row = std::span(scores).subspan(i * kClasses, kClasses);
      const auto order = sorted_classes(row);
      EXPECT_EQ(top_class(row), order.front());
      const auto end = order.begin() + static_cast<std::ptrdiff_t>(k);
      const auto label = static_cast<std::size_t>(labels[i]);
      const bool in = !std::isnan(row[label]) && std::find(order.begin(), end, label) != end;
      EXPECT_EQ(found->correct[i], in ? 1 : 0) << "sample " << i << ", k " << k;
      right += in ? 1 : 0;
    }
    EXPECT_EQ(found->figure.value, static_cast<double>(right) / kSamples);
    EXPECT_EQ(found->figure.samples, static_cast<std::int64_t>(kSamples));
    ASSERT_TRUE(found->figure.interval);
    EXPECT_TRUE(found->figure.interval->contains(found->figure.value));
  }
}

TEST(TopK, AConstantOutputIsRightOnlyForTheFirstClass) {
  const std::vector<float> scores(4 * 4, 0.25F);
  const std::vector<std::int64_t> labels = {0, 1, 2, 3};
  EXPECT_EQ(top_k(scores, 4, labels, 1)->correct, (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(top_k(scores, 4, labels, 2)->figure.value, 0.5);
}

TEST(TopK, HasWilsonsInterval) {
  // Newcombe 1998, table I, method 3: 15 of 148.
  std::vector<std::int64_t> predicted(148, 1), labels(148, 0);
  std::fill_n(labels.begin(), 15, 1);
  const Figure figure = exact_classes(predicted, labels)->figure;
  EXPECT_NEAR(figure.interval->lo, 0.0624, 5e-5);
  EXPECT_NEAR(figure.interval->hi, 0.1605, 5e-5);
}

TEST(TopK, WithoutSamplesHasNoValue) {
  const Figure figure = top_k({}, 10, {}, 1)->figure;
  EXPECT_TRUE(std::isnan(figure.value));
  EXPECT_FALSE(figure.interval);
  EXPECT_EQ(figure.samples, 0);
}

TEST(TopK, RefusesWhatDoesNotBelongTogether) {
  const std::vector<float> scores(6);
  const std::vector<std::int64_t> labels = {0, 3};
  EXPECT_EQ(top_k(scores, 3, labels, 1).error().text(),
            "error: top-k accuracy: label of sample 1 is 3, not in 0 to 2\n"
            "  hint: classes and images are counted from 0; check that labels and outputs have the "
            "same ones\n"
            "  [RIDGE-ACCU-0002]\n");
  EXPECT_EQ(top_k(scores, 2, labels, 1).error().text(),
            "error: top-k accuracy: 2 labels, but 6 scores of 2 classes each\n"
            "  hint: both must come from the same samples in the same order\n"
            "  [RIDGE-ACCU-0001]\n");
  EXPECT_EQ(top_k(scores, 3, labels, 4).error().text(),
            "error: top-k accuracy: k is 4, and there are 3 classes\n"
            "  hint: k is at least 1 and at most the number of classes\n"
            "  [RIDGE-ACCU-0005]\n");
  EXPECT_EQ(exact_classes({}, labels).error().code(), "RIDGE-ACCU-0001");
}

}  // namespace
}  // namespace ridge::accuracy
