#include "advice/verdict.h"

#include <gtest/gtest.h>

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
  std::optional<profile::Estimate> gain;
  if (predicted) gain = profile::Estimate{*predicted, *predicted, *predicted};
  return verdict(change(before, after), {before, before, before}, {after, after, after}, gain,
                 busy);
}

TEST(Verdict, HoldsAGain) {
  const Check check = judged(10e6, 8e6);
  EXPECT_EQ(check.state, CheckState::kHeld);
  EXPECT_NEAR(check.gain_ns.median, 2e6, 2e5);
  EXPECT_LE(check.gain_ns.low, check.gain_ns.median);
  EXPECT_GE(check.gain_ns.high, check.gain_ns.median);
  EXPECT_GT(check.gain_ns.low, 0);
}

TEST(Verdict, ComparesWithThePredictedGain) {
  EXPECT_EQ(judged(10e6, 8e6, 2.1e6).state, CheckState::kHeld);
  // 10 % of the gain are 0.2 ms, 2 % of the latency too.
  const Check far = judged(10e6, 8e6, 4e6);
  EXPECT_EQ(far.state, CheckState::kMissed);
  EXPECT_EQ(far.reason, "4 ms were predicted");
}

TEST(Verdict, ALossIsMissed) {
  const Check check = judged(8e6, 10e6);
  EXPECT_EQ(check.state, CheckState::kMissed);
  EXPECT_EQ(check.reason, "it is slower");
  EXPECT_LT(check.gain_ns.high, 0);
}

TEST(Verdict, NoDifferenceAndNotJudged) {
  EXPECT_EQ(judged(10e6, 10e6).state, CheckState::kNoDifference);
  const Check busy = judged(10e6, 8e6, {}, "others ran");
  EXPECT_EQ(busy.state, CheckState::kNotJudged);
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
  EXPECT_EQ(kernel_change({"A", "B", "C", "D", "E", "E"}, {}),
            "2 E, 1 A, 1 B, 1 C, 1 others are gone");
}

}  // namespace
}  // namespace ridge::advice
