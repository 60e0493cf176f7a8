// SPDX-License-Identifier: Apache-2.0
#include "measure/value_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

std::string shown_plan(const ValuePlan& plan) {
  std::string out;
  for (const ValueBatch& b : plan.batches)
    out += fmt::format("{}x{} ", fmt::join(b.tensors, ","), fmt::join(b.originals, ","));
  if (!plan.left_out.empty()) out += fmt::format("without {}", fmt::join(plan.left_out, ","));
  return out;
}

TEST(ValuePlan, PutsAllPairsOfASizeInOneRunIfTheyFit) {
  const std::vector<TriedTensor> tensors = {{0, 8}, {1, 16}, {2, 99}};
  const std::vector<OriginalTensor> originals = {
      {10, 8, {8, 16}}, {11, 16, {16, 16}}, {12, 4, {4}}};
  EXPECT_EQ(shown_plan(plan_values(tensors, originals, {.batch_bytes = 1000})), "0,1x10,11 ");
}

TEST(ValuePlan, LimitsTheValuesOfARun) {
  const std::vector<TriedTensor> tensors = {{0, 20}, {1, 20}, {2, 20}};
  const std::vector<OriginalTensor> originals = {
      {10, 20, {20}}, {11, 20, {20}}, {12, 20, {20}}, {13, 20, {20}}, {14, 20, {20}}};
  EXPECT_EQ(shown_plan(plan_values(tensors, originals, {.batch_bytes = 100})),
            "0,1x10,11 0,1x12,13,14 2x10,11,12,13 2x14 ");
}

TEST(ValuePlan, LeavesOutWhatIsTooLargeOrTooMuch) {
  const std::vector<TriedTensor> tensors = {{0, 60}, {1, 40}, {2, 40}};
  const std::vector<OriginalTensor> originals = {{10, 40, {40}}, {11, 60, {60}}};
  EXPECT_EQ(shown_plan(plan_values(tensors, originals, {.batch_bytes = 100})),
            "1x10 2x10 without 0");
  EXPECT_EQ(shown_plan(plan_values(tensors, originals, {.batch_bytes = 100, .batches = 1})),
            "1x10 without 2,0");
}

}  // namespace
}  // namespace ridge::measure
