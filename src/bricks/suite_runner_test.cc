// SPDX-License-Identifier: Apache-2.0
// Turns of the bricks of a suite in both runtimes, and the kernels that count.
#include "bricks/suite_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "attribution/testing.h"
#include "bricks/testing/planned.h"
#include "measure/testing/one_run.h"

namespace ridge::bricks {
namespace {

using attribution::testing::must;
using measure::testing::options;
using testing::Planned;
using testing::planned;
using testing::resolved;

class SuiteRunnerSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(SuiteRunnerSlow, EveryRoundRunsEveryBrickOnceAndCountsItsKernels) {
  SKIP_WITHOUT(GetParam());
  const Planned suite = planned("squeezenet1_1", GetParam());
  SuiteRunner runner = must(SuiteRunner::start(options(GetParam())));
  // OpenVINO reports whole microseconds, so the times of single runs are near the truth only.
  const double quantum = GetParam() == std::string_view("openvino") ? 1000 * 10 : 0;
  for (const Brick& b : suite.plan.bricks) must(runner.load(suite.models.at(b.file)));
  constexpr std::size_t kRounds = 5;
  for (std::size_t i = 0; i < kRounds; ++i) ASSERT_TRUE(runner.round().ok());
  ASSERT_EQ(runner.size(), suite.plan.bricks.size());
  for (std::size_t b = 0; b < runner.size(); ++b) {
    const Brick& brick = suite.plan.bricks[b];
    SCOPED_TRACE(brick.file);
    const std::vector<profile::BrickRun> runs = runner.runs(b, 0);
    const std::vector<double> walls = runner.walls_ns(b, 0);
    ASSERT_EQ(runs.size(), kRounds);
    double reported = 0;
    ASSERT_EQ(walls.size(), kRounds);
    for (std::size_t i = 0; i < kRounds; ++i) {
      EXPECT_EQ(runs[i].round, i);
      EXPECT_EQ(runs[i].events, brick.kernels.size());
      EXPECT_LT(static_cast<double>(runs[i].reported_ns), walls[i] + quantum);
      reported += static_cast<double>(runs[i].reported_ns);
    }
    if (brick.macs > 10'000'000) {
      EXPECT_GT(reported, 0);
    }
  }
}

TEST_P(SuiteRunnerSlow, BatchesTakeSevenTurnsInEveryFourthRoundOfWhichFourCount) {
  SKIP_WITHOUT(GetParam());
  const Planned suite = planned("squeezenet1_1", GetParam());
  constexpr std::int64_t kBatch = 2'000'000;  // several batches, and bricks larger than one
  SuiteRunner runner = must(SuiteRunner::start(options(GetParam())));
  // Some bricks run in batches, some do not, and some do both.
  const std::vector<std::int64_t> distances[] = {{0}, {kBatch}, {0, kBatch}};
  for (std::size_t b = 0; b < suite.plan.bricks.size(); ++b)
    must(
        runner.load(suite.models.at(suite.plan.bricks[b].file), {.reuse_bytes = distances[b % 3]}));
  constexpr std::size_t kRounds = 7;
  for (std::size_t i = 0; i < kRounds; ++i) ASSERT_TRUE(runner.round().ok());
  for (std::size_t b = 0; b < runner.size(); ++b) {
    SCOPED_TRACE(suite.plan.bricks[b].file);
    for (const std::int64_t reuse : {std::int64_t{0}, kBatch}) {
      const std::vector<profile::BrickRun> runs = runner.runs(b, reuse);
      const bool has = std::ranges::count(distances[b % 3], reuse) > 0;
      // Rounds 0 and 4 have batches.
      ASSERT_EQ(runs.size(), !has ? 0 : reuse > 0 ? 8 : kRounds);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].round, i);
        EXPECT_EQ(runs[i].events, suite.plan.bricks[b].kernels.size());
      }
      EXPECT_EQ(runner.walls_ns(b, reuse).size(), runs.size());
    }
  }
}

TEST_P(SuiteRunnerSlow, BallastMakesUpForBytesThatTheBricksLack) {
  SKIP_WITHOUT(GetParam());
  const Planned suite = planned("squeezenet1_1", GetParam());
  // squeezenet's bricks touch some 15 MB.
  for (const auto& [mib, has_ballast] : {std::pair(4, false), std::pair(256, true)}) {
    SuiteRunner runner = must(SuiteRunner::start(options(GetParam())));
    for (const Brick& b : suite.plan.bricks)
      must(runner.load(suite.models.at(b.file), {.reuse_bytes = {std::int64_t{mib} << 20}}));
    ASSERT_TRUE(runner.round().ok());
    EXPECT_EQ(runner.ballast() > 0, has_ballast) << mib;
    EXPECT_LE(runner.ballast(), 8U);
    EXPECT_EQ(runner.runs(0, std::int64_t{mib} << 20).size(), 4U);
  }
}

TEST_P(SuiteRunnerSlow, WholeModelsTakeTurnsInSuccessionWithoutEvents) {
  SKIP_WITHOUT(GetParam());
  const Planned suite = planned("squeezenet1_1", GetParam());
  SuiteRunner runner = must(SuiteRunner::start(options(GetParam())));
  for (std::size_t b = 0; b < 3; ++b)
    must(runner.load(suite.models.at(suite.plan.bricks[b].file), {.whole = b == 1}));
  constexpr std::size_t kRounds = 4;
  for (std::size_t i = 0; i < kRounds; ++i) ASSERT_TRUE(runner.round().ok());
  const std::vector<profile::BrickRun> runs = runner.runs(1, 0);
  ASSERT_EQ(runs.size(), 20 * kRounds);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].round, i / 20);
    EXPECT_EQ(runs[i].events, 0U);
    EXPECT_GT(runs[i].reported_ns, 0);
  }
  EXPECT_EQ(runner.runs(0, 0).size(), kRounds);
  EXPECT_EQ(runner.runs(2, 0).size(), kRounds);
}

TEST_P(SuiteRunnerSlow, ABrickThatTheRuntimeRejectsLeavesTheOthers) {
  SKIP_WITHOUT(GetParam());
  SuiteRunner runner = must(SuiteRunner::start(options(GetParam())));
  const Planned suite = planned("squeezenet1_1", GetParam());
  must(runner.load(suite.models.at(suite.plan.bricks[0].file)));
  const auto rejected = std::make_shared<onnx::Document>();
  const onnx::Document& one = suite.models.begin()->second.model().document();
  rejected->model = one.model;
  std::vector<onnx::Node> nodes(one.model.graph.nodes.begin(), one.model.graph.nodes.end());
  for (onnx::Node& node : nodes)
    if (node.op_type != "ConstantOfShape") node.domain = "no.such.domain";
  rejected->model.graph.nodes = rejected->arena.copy(nodes);
  EXPECT_FALSE(runner.load(resolved(rejected)).ok());
  ASSERT_TRUE(runner.round().ok());
  EXPECT_EQ(runner.size(), 1U);
  EXPECT_EQ(runner.runs(0, 0).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(In, SuiteRunnerSlow, ::testing::Values("ort", "openvino"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace ridge::bricks
