// SPDX-License-Identifier: Apache-2.0
#include "advice/record/scoreboard.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ridge::advice {
namespace {

using profile::CheckedFinding;
using profile::CheckState;

/// Check of another model for each number, in milliseconds: `gain` of a latency of 10.
CheckedFinding check(int number, std::optional<double> predicted, double gain,
                     CheckState state = CheckState::kGained) {
  CheckedFinding out{.recorded_s = number, .graph_hash = fmt::format("g{}", number)};
  out.runtime = "ONNX Runtime";
  out.host = "h";
  out.kind = "unfused_pattern";
  if (predicted) out.predicted_ns = {*predicted * 1e6};
  out.gain_ns = {gain * 1e6, {{gain * 1e6 - 1e5, gain * 1e6 + 1e5}}};
  out.before_ns = {10e6, {{9e6, 11e6}}};
  out.state = state;
  return out;
}

std::string text(const Share& s) { return fmt::format("{} of {}", s.count, s.of); }

TEST(Scoreboard, CountsChecksByTheirOutcome) {
  const Score total = scoreboard(std::vector<CheckedFinding>{
                                     check(0, 2.0, 2.0), check(1, 2.0, 1.0), check(2, {}, 1.0),
                                     check(3, 1.0, 1.0, CheckState::kNotJudged),
                                     check(4, 0.1, 0.05, CheckState::kNoDifference)})
                          .total;
  EXPECT_EQ(total.checks, 5);
  EXPECT_EQ(total.judged, 4);
  EXPECT_EQ(total.predicted, 3);
  EXPECT_EQ(total.repeated, 0);
  EXPECT_EQ(text(total.within), "2 of 3");
  EXPECT_EQ(text(total.covered), "0 of 0");
  EXPECT_DOUBLE_EQ(total.median_error, 1.0);  // 0, 1, 1
}

TEST(Scoreboard, UnpredictableGainsAreNeitherWithinNorMissed) {
  std::vector<CheckedFinding> checks = {check(0, 2.0, 2.0), check(1, 2.0, 1.0), check(2, 2.0, 1.9),
                                        check(3, -1.0, 1.0)};
  for (const std::size_t wide : {2U, 3U}) {
    checks[wide].prediction = profile::Prediction::kUnpredictable;
    const double gain = checks[wide].predicted_ns.value;
    checks[wide].predicted_ns.interval = {gain - 1.5e6, gain + 1.5e6};
  }
  const Score total = scoreboard(checks).total;
  EXPECT_EQ(total.predicted, 4);
  EXPECT_EQ(text(total.unpredictable), "2 of 4");
  EXPECT_EQ(text(total.within), "1 of 2");
  EXPECT_EQ(text(total.sign_right), "2 of 2");
  EXPECT_EQ(text(total.inside), "1 of 2");    // intervals are claims of all
  EXPECT_DOUBLE_EQ(total.median_error, 0.5);  // 0, 1
  std::vector<CheckedFinding> wide(5, checks[2]);
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i].graph_hash = fmt::format("w{}", i);
  EXPECT_EQ(confidence(scoreboard(wide).total), "");
}

TEST(Scoreboard, AllowsWhatTheVerdictAllows) {
  const struct {
    double predicted, gain;
    const char* within;
  } kCases[] = {{5.49, 5.0, "1 of 1"},  {5.51, 5.0, "0 of 1"},  // 10 % of the gain
                {1.19, 1.0, "1 of 1"},  {1.21, 1.0, "0 of 1"},  // 2 % of the latency
                {0.81, 1.0, "1 of 1"},  {0.79, 1.0, "0 of 1"},
                {-4.6, -5.0, "1 of 1"}, {-4.4, -5.0, "0 of 1"}};
  for (const auto& c : kCases)
    EXPECT_EQ(text(scoreboard(std::vector{check(0, c.predicted, c.gain)}).total.within), c.within)
        << c.predicted << " for " << c.gain;
}

TEST(Scoreboard, JudgesTheSignOfPredictionsOfMoreThanThreePercent) {
  const Score total =
      scoreboard(std::vector{check(0, 0.31, 0.01), check(1, 0.31, -0.01), check(2, 0.29, -0.01),
                             check(3, -0.31, -5.0), check(4, 0.31, 0.0)})
          .total;
  EXPECT_EQ(text(total.sign_right), "2 of 4");
}

TEST(Scoreboard, HasARowPerKindHostAndRuntime) {
  std::vector<CheckedFinding> checks = {check(0, 1.0, 1.0), check(1, 1.0, 1.0), check(2, 1.0, 1.0),
                                        check(3, 1.0, 3.0), check(4, 1.0, 1.0)};
  checks[1].kind = "overhead";
  checks[2].host = "another";
  checks[3].runtime = "OpenVINO";
  const Scoreboard board = scoreboard(checks);
  std::string rows;
  for (const ScoreRow& row : board.rows)
    rows += fmt::format("{} {} {}: {}, {}\n", row.kind, row.host, row.runtime, row.score.checks,
                        text(row.score.within));
  EXPECT_EQ(rows,
            "overhead h ONNX Runtime: 1, 1 of 1\n"
            "unfused_pattern another ONNX Runtime: 1, 1 of 1\n"
            "unfused_pattern h ONNX Runtime: 2, 2 of 2\n"
            "unfused_pattern h OpenVINO: 1, 0 of 1\n");
  EXPECT_EQ(board.total.checks, 5);
  EXPECT_EQ(text(board.total.within), "4 of 5");
}

TEST(Scoreboard, TheNewestOfRepeatedChecksCounts) {
  std::vector<CheckedFinding> checks = {check(7, 1.0, 1.0), check(7, 1.0, 5.0), check(7, {}, 1.0),
                                        check(7, 1.0, 9.0, CheckState::kNotJudged)};
  checks[1].recorded_s = 6;
  checks[2].recorded_s = 8;
  checks[3].recorded_s = 9;
  Score total = scoreboard(checks).total;
  EXPECT_EQ(total.checks, 4);
  EXPECT_EQ(total.judged, 3);
  EXPECT_EQ(total.repeated, 1);
  EXPECT_EQ(text(total.within), "1 of 1");
  checks[1].recorded_s = checks[0].recorded_s;  // recorded at once: the later of the list
  EXPECT_EQ(text(scoreboard(checks).total.within), "0 of 1");
  for (int change = 0; change < 4; ++change) {
    std::vector<CheckedFinding> other(2, check(7, 1.0, 1.0));
    if (change == 0) other[1].finding = "silu";
    if (change == 1) other[1].point = "another size";
    if (change == 2) other[1].threads = 2;
    if (change == 3) other[1].graph_hash = "another";
    EXPECT_EQ(scoreboard(other).total.predicted, 2) << change;
  }
}

// Predictions and measurements scatter around the true gain as their intervals say. The share of
// predicted intervals that hold the measurement then follows from the normal distribution.
TEST(Scoreboard, CoversAsOftenAsIntervalsSay) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const double measured : {0.1, 1.0, 3.0}) {
    std::vector<CheckedFinding> checks;
    for (int i = 0; i < 20'000; ++i) {
      checks.push_back(check(i, 0, 0));
      const double p = 50 + normal(random), g = 50 + measured * normal(random);
      checks.back().predicted_ns = {p, {{p - 1.96, p + 1.96}}};
      checks.back().gain_ns = {g, {{g - 1.96 * measured, g + 1.96 * measured}}};
    }
    const Score total = scoreboard(checks).total;
    const double inside = std::erf(1.96 / std::hypot(1, measured) / std::sqrt(2.0));
    EXPECT_NEAR(total.covered.value(), 0.95, 0.006) << measured;
    EXPECT_NEAR(total.inside.value(), inside, 0.012) << measured;
  }
}

TEST(Scoreboard, AgreesByTheSidesThatFaceEachOther) {
  const auto covered = [](stats::Estimate predicted, stats::Estimate gain) {
    CheckedFinding c = check(0, 1.0, 1.0);
    c.predicted_ns = predicted;
    c.gain_ns = gain;
    const Score total = scoreboard(std::vector{c}).total;
    return text(total.covered) + ", " + text(total.inside);
  };
  EXPECT_EQ(covered({4, {{3, 5}}}, {4.9, {{4.5, 5.1}}}), "1 of 1, 1 of 1");
  EXPECT_EQ(covered({4, {{3, 5}}}, {5.2, {{4.2, 6.2}}}), "1 of 1, 0 of 1");  // 1.2 < sqrt(2)
  EXPECT_EQ(covered({4, {{3, 5}}}, {5.5, {{4.5, 6.5}}}), "0 of 1, 0 of 1");  // 1.5 > sqrt(2)
  EXPECT_EQ(covered({4, {{0, 4.1}}}, {5.2, {{5.1, 9}}}), "0 of 1, 0 of 1");
  EXPECT_EQ(covered({4, {{3.9, 8}}}, {5.2, {{1, 5.3}}}), "1 of 1, 1 of 1");
  EXPECT_EQ(covered({4, {{3.9, 4.1}}}, {2, {{-9, 3.9}}}), "0 of 1, 0 of 1");
  EXPECT_EQ(covered({4, {{3, 5}}}, {5.2}), "0 of 1, 0 of 1");
  EXPECT_EQ(covered({4}, {4, {{3, 5}}}), "0 of 0, 0 of 0");
}

TEST(Scoreboard, TakesNoFigureThatIsNotFinite) {
  std::vector<CheckedFinding> checks(6, check(0, 1.0, 1.0));
  for (std::size_t i = 0; i < checks.size(); ++i) checks[i].graph_hash = fmt::format("g{}", i);
  checks[0].predicted_ns.value = INFINITY;
  checks[1].gain_ns.value = NAN;
  checks[2].before_ns.value = NAN;
  checks[3].before_ns.value = -1;
  checks[4].gain_ns.value = 0;  // an infinite relative error
  checks[5].predicted_ns = {1e308, {{-INFINITY, INFINITY}}};
  const Score total = scoreboard(checks).total;
  EXPECT_EQ(total.judged, 6);
  EXPECT_EQ(total.predicted, 2);
  EXPECT_EQ(text(total.within), "0 of 2");
  EXPECT_EQ(text(total.covered), "0 of 0");
  EXPECT_EQ(total.median_error, INFINITY);
}

TEST(Scoreboard, OfNothingIsEmpty) {
  const Scoreboard board = scoreboard({});
  EXPECT_TRUE(board.rows.empty());
  EXPECT_EQ(board.total.checks, 0);
  EXPECT_TRUE(std::isnan(board.total.median_error));
  EXPECT_TRUE(std::isnan(board.total.within.value()));
  EXPECT_FALSE(board.total.within.interval());
}

/// Counts one row again, check by check against all others.
std::string recount(const std::vector<CheckedFinding>& checks, const std::string& kind) {
  int all = 0, repeated = 0, predicted = 0, within = 0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const CheckedFinding& c = checks[i];
    if (c.kind != kind) continue;
    ++all;
    const auto counts = [](const CheckedFinding& x) {
      return x.state != CheckState::kNotJudged && !std::isnan(x.predicted_ns.value);
    };
    if (!counts(c)) continue;
    bool newer = false;
    for (std::size_t j = 0; j < checks.size(); ++j)
      newer |=
          counts(checks[j]) && checks[j].kind == kind && checks[j].graph_hash == c.graph_hash &&
          (checks[j].recorded_s > c.recorded_s || (checks[j].recorded_s == c.recorded_s && j > i));
    ++(newer ? repeated : predicted);
    const double error = std::abs(c.predicted_ns.value - c.gain_ns.value);
    if (!newer && (error <= 0.1 * std::abs(c.gain_ns.value) || error <= 0.02 * 10e6)) ++within;
  }
  return fmt::format("{} {} {} {}", all, repeated, predicted, within);
}

TEST(Scoreboard, CountsAsARecount) {
  std::mt19937_64 random(5);
  std::vector<CheckedFinding> checks;
  for (int i = 0; i < 400; ++i) {
    const double gain = static_cast<double>(random() % 60) / 10 - 1;
    std::optional<double> predicted;
    if (random() % 4 != 0) predicted = gain + static_cast<double>(random() % 100) / 100 - 0.5;
    checks.push_back(check(i, predicted, gain, static_cast<CheckState>(random() % 4)));
    checks.back().kind = random() % 2 == 0 ? "a" : "b";
    checks.back().graph_hash = fmt::format("g{}", random() % 80);
    checks.back().recorded_s = static_cast<std::int64_t>(random() % 50);
  }
  for (const ScoreRow& row : scoreboard(checks).rows)
    EXPECT_EQ(fmt::format("{} {} {} {}", row.score.checks, row.score.repeated, row.score.predicted,
                          row.score.within.count),
              recount(checks, row.kind));
}

TEST(Confidence, NeedsPredictionsThatHoldOrMissBeyondChance) {
  const auto word = [](std::int64_t count, std::int64_t of) {
    Score score;
    score.within = {count, of};
    return confidence(score);
  };
  EXPECT_EQ(word(0, 0), "");
  EXPECT_EQ(word(4, 4), "");
  EXPECT_EQ(word(0, 4), "");
  EXPECT_EQ(word(5, 5), "high");
  EXPECT_EQ(word(4, 5), "medium");
  EXPECT_EQ(word(1, 5), "medium");
  EXPECT_EQ(word(0, 5), "low");
  EXPECT_EQ(word(8, 10), "medium");
  EXPECT_EQ(word(9, 10), "high");
  EXPECT_EQ(word(1, 10), "low");
  EXPECT_EQ(word(70, 100), "high");
  EXPECT_EQ(word(50, 100), "medium");
  EXPECT_EQ(word(30, 100), "low");
}

TEST(Confidence, IsThatOfItsRow) {
  std::vector<CheckedFinding> checks;
  for (int i = 0; i < 5; ++i) checks.push_back(check(i, 1.0, 1.0));
  const Scoreboard board = scoreboard(checks);
  EXPECT_EQ(confidence(board, "unfused_pattern", "h", "ONNX Runtime"), "high");
  EXPECT_EQ(confidence(board, "overhead", "h", "ONNX Runtime"), "");
  EXPECT_EQ(confidence(board, "unfused_pattern", "i", "ONNX Runtime"), "");
  EXPECT_EQ(confidence(board, "unfused_pattern", "h", "OpenVINO"), "");
  checks.assign(9, check(0, 1.0, 1.0));  // the same finding nine times
  EXPECT_EQ(confidence(scoreboard(checks), "unfused_pattern", "h", "ONNX Runtime"), "");
}

}  // namespace
}  // namespace ridge::advice
