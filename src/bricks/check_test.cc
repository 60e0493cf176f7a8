// SPDX-License-Identifier: Apache-2.0
// Figures of a comparison, worked out by hand.
#include "bricks/check.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::bricks {
namespace {

TEST(Check, SummarizesErrorsAndTimes) {
  Check check;
  for (int i = 1; i <= 20; ++i)
    check.models.push_back({.name = "m",
                            .measured = {100, {{99, 101}}},
                            .estimate = {100.0 + i, {{99.5 + i, 100.5 + i}}},
                            .seconds = 2});
  check.models[0].estimate = {90, {{89, 91}}};  // the errors are -10 %, +2 %, +3 % ... +20 %
  check.models[1].narrow = false;
  check.models[2].estimate_narrow = false;
  for (CheckedModel& m : check.models) m.measured_width = 0.02, m.estimate_width = 0.01;
  check.models[1].measured_width = check.models[2].estimate_width = 0.2;
  check.models[3].measured_width = 0.025;
  check.times = {
      .plan_s = 1, .load_s = 2, .run_s = 0.8, .bricks_round_s = 0.5, .models_round_s = 2};
  const CheckSummary s = summary_of(check);
  EXPECT_NEAR(s.mape, (10 + 209) / 20.0 / 100, 1e-12);
  EXPECT_NEAR(s.bias, (-10 + 209) / 20.0 / 100, 1e-12);
  EXPECT_NEAR(s.p95, 0.20, 1e-12);  // rank 19 of 20
  EXPECT_NEAR(s.worst, 0.20, 1e-12);
  EXPECT_EQ(s.intervals_met, 0U);
  // One measurement and one estimate of 20 models are too wide.
  EXPECT_EQ(s.counted, 18U);
  EXPECT_NEAR(s.models_s, 36, 1e-12);
  EXPECT_NEAR(s.saved, 36 / 3.8, 1e-12);
  EXPECT_NEAR(s.models_width, 0.025, 1e-12);
  EXPECT_NEAR(s.estimates_width, 0.01, 1e-12);
  EXPECT_NEAR(s.saved_equal_runs, 4, 1e-12);
}

TEST(Check, IntervalsMeetInAPoint) {
  const CheckedModel m{
      .name = "m", .measured = {100, {{98, 102}}}, .estimate = {104, {{102, 106}}}};
  EXPECT_TRUE(m.intervals_meet());
  CheckedModel apart = m;
  apart.estimate.interval->lo = 102.01;
  EXPECT_FALSE(apart.intervals_meet());
}

TEST(Check, SavesNothingThatCanBeToldIfNoModelIsNarrow) {
  const Check check{.models = {{.name = "m",
                                .measured = {100, {{98, 102}}},
                                .estimate = {104, {{60, 150}}},
                                .seconds = 9,
                                .estimate_narrow = false}},
                    .times = {.plan_s = 1}};
  const CheckSummary s = summary_of(check);
  EXPECT_TRUE(std::isnan(s.saved));
  EXPECT_EQ(s.models_s, 0);
  EXPECT_TRUE(std::isnan(s.models_width));
}

TEST(Check, HasNoFiguresWithoutModels) {
  const CheckSummary s = summary_of({});
  EXPECT_TRUE(std::isnan(s.mape));
  EXPECT_TRUE(std::isnan(s.worst));
}

}  // namespace
}  // namespace ridge::bricks
