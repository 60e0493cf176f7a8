// SPDX-License-Identifier: Apache-2.0
#include "advice/run/budget.h"

#include <gtest/gtest.h>

namespace ridge::advice {
namespace {

session::MeasureSpec spec_of(double seconds, bool of_each_process) {
  session::MeasureSpec spec;
  spec.processes = 3;
  spec.budget = {seconds, of_each_process};
  return spec;
}

TEST(AdviceBudget, WithoutATotalEveryProcessHasItsTime) {
  const AdviceBudget budget(spec_of(1.5, true), true);
  EXPECT_EQ(budget.of_run_s(), 1.5);
  EXPECT_EQ(budget.of_bricks_s(), 0);
  EXPECT_EQ(budget.of_check_s(100), 1.5);
}

TEST(AdviceBudget, ATotalIsForTheRunAlone) {
  EXPECT_EQ(AdviceBudget(spec_of(30, false), false).of_run_s(), 10);
}

TEST(AdviceBudget, ATotalIsDivided) {
  const AdviceBudget budget(spec_of(24, false), true);
  EXPECT_DOUBLE_EQ(budget.of_run_s(), 0.15 * 24 / 3);
  EXPECT_DOUBLE_EQ(budget.of_bricks_s(), 0.35 * 24);
  // Two sides of three processes in each of four checks, half of the time measuring.
  const double share = 24.0 / 2 / (2 * 3 * 4);
  EXPECT_LE(budget.of_check_s(4).value(), share);
  EXPECT_GE(budget.of_check_s(4).value(), 0.9 * share);
  EXPECT_EQ(AdviceBudget(spec_of(1000, false), true).of_check_s(1), 2);  // no more than without
}

TEST(AdviceBudget, NoCheckIsBegunWithoutTime) {
  EXPECT_FALSE(AdviceBudget(spec_of(0.2, false), true).of_check_s(1));
  EXPECT_FALSE(AdviceBudget(spec_of(10, false), true).of_check_s(100));
}

}  // namespace
}  // namespace ridge::advice
