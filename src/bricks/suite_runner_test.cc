// A suite of bricks in ONNX Runtime: what counts in a run, and that all bricks take turns.
#include "bricks/suite_runner.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(SuiteRunnerSlow, EveryRoundRunsEveryBrickOnceAndCountsItsKernels) {
  SKIP_WITHOUT("ort");
  const Planned suite = planned("squeezenet1_1");
  SuiteRunner runner = must(SuiteRunner::start(options("ort")));
  for (const Brick& b : suite.plan.bricks) must(runner.load(suite.models.at(b.file)));
  constexpr std::size_t kRounds = 7;
  for (std::size_t i = 0; i < kRounds; ++i) ASSERT_TRUE(runner.round().ok());
  ASSERT_EQ(runner.size(), suite.plan.bricks.size());
  for (std::size_t b = 0; b < runner.size(); ++b) {
    const Brick& brick = suite.plan.bricks[b];
    SCOPED_TRACE(brick.file);
    const std::vector<profile::BrickRun> runs = runner.runs(b);
    const std::vector<double> walls = runner.walls_ns(b);
    ASSERT_EQ(runs.size(), kRounds);
    double reported = 0;
    ASSERT_EQ(walls.size(), kRounds);
    for (std::size_t i = 0; i < kRounds; ++i) {
      EXPECT_EQ(runs[i].round, i);
      EXPECT_EQ(runs[i].events, brick.kernels.size());
      EXPECT_LT(static_cast<double>(runs[i].reported_ns), walls[i]);
      reported += static_cast<double>(runs[i].reported_ns);
    }
    if (brick.macs > 10'000'000) {
      EXPECT_GT(reported, 0);
    }
    // Donors run too, and do not count.
    const bool donors =
        std::ranges::any_of(brick.ports, [](const BrickPort& port) { return !port.donor.empty(); });
    EXPECT_EQ(runner.all_events(b) > kRounds * brick.kernels.size(), donors);
  }
}

TEST(SuiteRunnerSlow, ABrickThatTheRuntimeRejectsLeavesTheOthers) {
  SKIP_WITHOUT("ort");
  SuiteRunner runner = must(SuiteRunner::start(options("ort")));
  const Planned suite = planned("squeezenet1_1");
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
  EXPECT_EQ(runner.runs(0).size(), 1U);
}

}  // namespace
}  // namespace ridge::bricks
