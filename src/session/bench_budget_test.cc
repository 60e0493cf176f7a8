// SPDX-License-Identifier: Apache-2.0
#include "session/bench_budget.h"

#include <gtest/gtest.h>

namespace ridge::session {
namespace {

const BenchPoint kSmall{"a.onnx", "ort", 1e9}, kLarge{"a.onnx", "ort", 8e9};

TEST(BenchBudget, DividesTheTimeOverPointsAndProcesses) {
  BenchBudget budget(60, 4, 3);
  EXPECT_DOUBLE_EQ(*budget.next(kSmall, 0), 5);
  budget.done(kSmall, 15, 5);
  EXPECT_DOUBLE_EQ(*budget.next(kSmall, 15), 5);
}

TEST(BenchBudget, LearnsWhatAPointCostsBesideMeasuring) {
  BenchBudget budget(60, 4, 3);
  budget.done(kSmall, 18, 5);  // 3 s more than was given
  EXPECT_DOUBLE_EQ(*budget.next(kSmall, 18), (42.0 / 3 - 3) / 3);
}

TEST(BenchBudget, TakesAPointOfMoreWorkForDearer) {
  BenchBudget budget(60, 4, 3);
  budget.done(kSmall, 18, 5);
  EXPECT_DOUBLE_EQ(budget.min_s(kLarge), 8 * 3 + 3 * 0.05);
  EXPECT_FALSE(budget.next(kLarge, 40));
  EXPECT_TRUE(budget.next(kSmall, 40));
  // The overhead is not scaled down for a point with less work: loading takes the same time.
  budget.done(kLarge, 30, 5);
  EXPECT_DOUBLE_EQ(budget.min_s(kSmall), 15 + 3 * 0.05);
}

TEST(BenchBudget, KnowsAModelByItsOwnPointsFirst) {
  BenchBudget budget(60, 6, 1);
  budget.done(kSmall, 3, 1);
  budget.done({"b.onnx", "ort", 1e9}, 9, 1);
  EXPECT_DOUBLE_EQ(budget.min_s({"a.onnx", "openvino", 1e9}), 2 + 0.05);
  EXPECT_DOUBLE_EQ(budget.min_s({"b.onnx", "ort", 1e9}), 8 + 0.05);
  EXPECT_DOUBLE_EQ(budget.min_s({"c.onnx", "ort", 1e9}), 2 + 0.05);  // the cheapest
}

TEST(BenchBudget, BeginsNothingThatDoesNotFit) {
  BenchBudget budget(60, 4, 1);
  EXPECT_TRUE(budget.next(kSmall, 59.9));  // nothing is known yet
  budget.done(kSmall, 6, 1);
  EXPECT_TRUE(budget.next(kSmall, 54.9));
  EXPECT_FALSE(budget.next(kSmall, 55));
  EXPECT_FALSE(budget.next(kSmall, 60));
  budget.skip();
  EXPECT_DOUBLE_EQ(*budget.next(kSmall, 10), 50.0 / 2 - 5);
  budget.skip();
  budget.skip();
  EXPECT_FALSE(budget.next(kSmall, 10));
}

}  // namespace
}  // namespace ridge::session
