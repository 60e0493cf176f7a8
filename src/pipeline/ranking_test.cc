// SPDX-License-Identifier: Apache-2.0
#include "pipeline/ranking.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "pipeline/masks.h"
#include "pipeline/softmax.h"
#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

/// All indices, highest score first.
std::vector<std::int64_t> in_order(std::span<const float> scores) {
  std::vector<std::int64_t> order;
  for (const Ranked& ranked : top(scores, scores.size())) order.push_back(ranked.index);
  return order;
}

TEST(RankingSlow, SoftmaxArgsortAndArgmaxEqualNumpy) {
  const OracleCases oracle = oracle_cases("values 7");
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  for (const OracleCase& c : oracle.cases) {
    if (c.words[0] != "softmax") continue;
    const Axis axis{static_cast<std::size_t>(c.number(1)), static_cast<std::size_t>(c.number(2)),
                    static_cast<std::size_t>(c.number(3))};
    std::vector<float> values = c.floats(0);
    softmax(values, axis);
    const std::vector<float> theirs = c.floats(1);
    for (std::size_t i = 0; i < theirs.size(); ++i)
      ASSERT_NEAR(values[i], theirs[i], 1e-7 * theirs[i]);
    const std::vector<float> ties = c.floats(2);
    std::vector<std::int64_t> order(ties.size());
    std::memcpy(order.data(), c.blobs[3].data(), c.blobs[3].size());
    EXPECT_EQ(in_order(ties), order);
    std::vector<std::int32_t> classes(axis.outer * axis.inner);
    std::memcpy(classes.data(), c.blobs[4].data(), c.blobs[4].size());
    EXPECT_EQ(argmax(ties, axis), classes);
  }
}

TEST(Ranking, EqualScoresKeepTheirOrder) {
  const float nan = std::nanf("");
  const std::vector<float> scores{0, nan, 2, -0.F, 2, -INFINITY};
  EXPECT_EQ(in_order(scores), (std::vector<std::int64_t>{2, 4, 0, 3, 5, 1}));
  EXPECT_EQ(top(scores, 1), (std::vector<Ranked>{{2, 2}}));
  EXPECT_EQ(top(scores, 0).size(), 0U);
  EXPECT_EQ(top(scores, 99).size(), 6U);
}

TEST(Softmax, LargeScoresDoNotOverflow) {
  std::vector<float> values{1000, 1000, -1000};
  softmax(values, {.count = values.size()});
  EXPECT_EQ(values, (std::vector<float>{0.5F, 0.5F, 0}));
  softmax(std::span<float>(), {.count = 0});
}

TEST(Masks, TakeTheHighestClassPerPixel) {
  const float nan = std::nanf("");
  // Two classes, three pixels.
  const std::vector<float> planes{1, 5, nan, 2, 5, -1};
  EXPECT_EQ(argmax(planes, {1, 2, 3}), (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(argmax(planes, {3, 2, 1}), (std::vector<std::int32_t>{1, 1, 0}));
  EXPECT_EQ(argmax({}, {1, 0, 2}), (std::vector<std::int32_t>{-1, -1}));
  EXPECT_EQ(above(planes, 2), (std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace ridge::pipeline
