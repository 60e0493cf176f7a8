// SPDX-License-Identifier: Apache-2.0
#include "advice/record/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "advice/kernel_change.h"

namespace ridge::advice {
namespace {

/// Three processes of 40 runs around these times, +-1 %.
stats::Change change(double before, double after) {
  std::vector<std::vector<double>> a, b;
  for (int p = 0; p < 3; ++p) {
    a.emplace_back();
    b.emplace_back();
    for (int i = 0; i < 40; ++i) {
      a.back().push_back(before * (1 + 0.01 * ((i * 7 + p) % 3 - 1)));
      b.back().push_back(after * (1 + 0.01 * ((i * 5 + p) % 3 - 1)));
    }
  }
  return {a, b, stats::Runs::kInTurns};
}

Check judged(double before, double after, std::optional<double> predicted = {},
             const std::string& busy = "") {
  std::optional<stats::Estimate> gain;
  if (predicted) gain = stats::Estimate{*predicted, {{*predicted, *predicted}}};
  return verdict(change(before, after), {before, {{before, before}}}, {after, {{after, after}}},
                 gain, busy);
}

TEST(Verdict, IsAGainIfItsIntervalLiesAboveZero) {
  const Check check = judged(10e6, 8e6);
  EXPECT_EQ(check.state, CheckState::kGained);
  EXPECT_EQ(check.prediction, Prediction::kNone);
  EXPECT_NEAR(check.gain_ns.value, 2e6, 2e5);
  EXPECT_LE(check.gain_ns.low(), check.gain_ns.value);
  EXPECT_GE(check.gain_ns.high(), check.gain_ns.value);
  EXPECT_GT(check.gain_ns.low(), 0);
}

// Whatever was predicted, the state is what the repair did: 5.89 to 2.08 ms is a gain.
TEST(Verdict, ThePredictionIsJudgedByItself) {
  EXPECT_EQ(judged(10e6, 8e6, 2.1e6).prediction, Prediction::kWithin);
  // 10 % of the gain are 0.2 ms, 2 % of the latency too.
  for (const double predicted : {4e6, 1e6, -1e6}) {
    const Check far = judged(10e6, 8e6, predicted);
    EXPECT_EQ(far.state, CheckState::kGained);
    EXPECT_EQ(far.prediction, Prediction::kMissed);
    EXPECT_EQ(far.reason, "");
  }
  EXPECT_EQ(judged(5.89e6, 2.08e6, 3.2e6).state, CheckState::kGained);
  const Check lost = judged(8e6, 10e6, -2e6);
  EXPECT_EQ(lost.state, CheckState::kLost);
  EXPECT_EQ(lost.prediction, Prediction::kWithin);
  EXPECT_LT(lost.gain_ns.high(), 0);
  const Check same = judged(10e6, 10e6, 1e6);
  EXPECT_EQ(same.state, CheckState::kNoDifference);
  EXPECT_EQ(same.prediction, Prediction::kMissed);
}

// 10 % of a gain of 4 ms, and 2 % of a latency of 10 ms.
TEST(Verdict, AnIntervalWiderThanTheToleranceIsNoPrediction) {
  EXPECT_TRUE(is_predictable({4e6, {{3.61e6, 4.39e6}}}, 10e6));
  EXPECT_FALSE(is_predictable({4e6, {{3.59e6, 4.41e6}}}, 10e6));
  EXPECT_TRUE(is_predictable({1e6, {{0.81e6, 1.19e6}}}, 10e6));
  EXPECT_FALSE(is_predictable({1e6, {{0.79e6, 1.21e6}}}, 10e6));
  EXPECT_TRUE(is_predictable({-4e6, {{-4.3e6, -3.7e6}}}, 10e6));
  EXPECT_TRUE(is_predictable({4e6}, 10e6));
  EXPECT_EQ(unpredictable_text({4e6, {{2e6, 6e6}}}, 10e6),
            "cannot be predicted in this budget: 2.000 ms to 6.000 ms is more than 400.0 µs to "
            "both sides of 4.000 ms");
  const stats::Change gained = change(10e6, 8e6);
  const stats::Estimate before{10e6, {{10e6, 10e6}}}, after{8e6, {{8e6, 8e6}}};
  // Neither within, although its median is right, nor missed.
  for (const double median : {2e6, 7e6}) {
    const Check check =
        verdict(gained, before, after, stats::Estimate{median, {{median - 1e6, median + 1e6}}}, "");
    EXPECT_EQ(check.state, CheckState::kGained);
    EXPECT_EQ(check.prediction, Prediction::kUnpredictable);
  }
}

TEST(Verdict, NoDifferenceAndNotJudged) {
  EXPECT_EQ(judged(10e6, 10e6).state, CheckState::kNoDifference);
  const Check busy = judged(10e6, 8e6, {}, "others ran");
  EXPECT_EQ(busy.state, CheckState::kNotJudged);
  EXPECT_EQ(busy.prediction, Prediction::kNone);
  EXPECT_EQ(busy.reason, "others ran");
  const Check few = verdict(stats::Change({}, {}, stats::Runs::kInTurns), {}, {}, {}, "");
  EXPECT_EQ(few.state, CheckState::kNotJudged);
  EXPECT_EQ(few.reason, "too few runs side by side for an interval");
}

TEST(KernelChange, CountsWhatDiffers) {
  EXPECT_EQ(kernel_change({"Conv", "Exp"}, {"Exp", "Conv"}), "");
  EXPECT_EQ(kernel_change({"Exp", "Neg", "Exp", "Conv"}, {"Conv", "Gelu"}),
            "1 Gelu runs instead of 2 Exp, 1 Neg");
  EXPECT_EQ(kernel_change({"Exp", "Conv"}, {"Conv"}), "1 Exp is gone");
  EXPECT_EQ(kernel_change({}, {"A", "B"}), "1 A, 1 B are added");
  EXPECT_EQ(more_kernels({"Exp of 1 input", "Neg of 1 input"}, {"Gelu of 1 input"}), -1);
  EXPECT_EQ(more_kernels({"Mul of 2 inputs"}, {"Mul of 2 inputs", "Pow of 2 inputs"}), 1);
  EXPECT_EQ(more_kernels({"MatMul of 2 inputs", "Add of 2 inputs"},
                         {"Reshape of 2 inputs", "Gemm of 3 inputs", "Reshape of 2 inputs"}),
            -1);
  EXPECT_EQ(more_kernels({"Conv of 2 inputs"},
                         {"com.microsoft.nchwc.ReorderInput of 1 input", "Conv of 2 inputs",
                          "com.microsoft.nchwc.ReorderOutput of 1 input"}),
            0);
  EXPECT_EQ(kernel_change({"A", "B", "C", "D", "E", "E"}, {}),
            "2 E, 1 A, 1 B, 1 C, 1 others are gone");
}

}  // namespace
}  // namespace ridge::advice
