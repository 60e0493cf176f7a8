// SPDX-License-Identifier: Apache-2.0
// Processes of a suite in which something goes wrong: a brick that the runtime rejects, a process
// that ends while it loads or runs, time that is too short.
#include "bricks/suite_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "bricks/brick_times.h"
#include "bricks/piece_size.h"
#include "bricks/testing/planned.h"

namespace ridge::bricks {
namespace {

using attribution::testing::must;
using profile::SuiteProcess;
using testing::Planned;

/// Ends the runtime's process, a child of this one.
void kill_child() {
  std::ifstream children("/proc/self/task/" + std::to_string(::gettid()) + "/children");
  pid_t child = 0;
  ASSERT_TRUE(children >> child);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
}

class SuiteProcessSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT("ort");
    suite_ = testing::planned("squeezenet1_1");
    for (const Brick& b : suite_.plan.bricks)
      members_.push_back({b.key, size_of(b), &suite_.models.at(b.file)});
    plan_.options = measure::testing::options("ort");
    plan_.min_rounds = 4;
    plan_.min_time = Nanos{0};
  }

  static std::size_t measured(const SuiteProcess& process) {
    return static_cast<std::size_t>(std::ranges::count_if(
        process.bricks, [](const profile::SuiteBrick& b) { return !b.runs.empty(); }));
  }

  Planned suite_;
  std::vector<SuiteMember> members_;
  SuitePlan plan_;
};

TEST_F(SuiteProcessSlow, RecordsEveryBrickInEveryRound) {
  const SuiteProcess process = must(measure_suite(members_, plan_));
  ASSERT_EQ(process.bricks.size(), members_.size());
  EXPECT_TRUE(process.lost.empty());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    EXPECT_EQ(process.bricks[i].key, members_[i].key);
    EXPECT_EQ(process.bricks[i].macs, suite_.plan.bricks[i].macs);
    EXPECT_EQ(process.bricks[i].runs.size(), plan_.min_rounds);
    EXPECT_GT(process.bricks[i].load_ns, 0);
  }
  EXPECT_EQ(process.chains.size(), 4 * 5 * plan_.min_rounds);
  EXPECT_GT(process.load_s, 0);
  EXPECT_GT(process.run_s, 0);
}

TEST_F(SuiteProcessSlow, ABrickThatEndsItsProcessWhileLoadingIsLostAlone) {
  bool killed = false;
  plan_.progress = [&](const std::string& what, std::int64_t done, std::int64_t) {
    if (killed || what != "loading brick" || done != 3) return;
    killed = true;
    kill_child();
  };
  const SuiteProcess process = must(measure_suite(members_, plan_));
  ASSERT_EQ(process.lost.size(), 1U);
  EXPECT_EQ(process.lost[0].key, members_[3].key);
  EXPECT_FALSE(process.lost[0].why.empty());
  EXPECT_EQ(measured(process), members_.size() - 1);
  EXPECT_TRUE(process.bricks[3].runs.empty());
}

TEST_F(SuiteProcessSlow, AProcessThatEndsInARoundIsRepeated) {
  bool killed = false;
  plan_.progress = [&](const std::string& what, std::int64_t done, std::int64_t) {
    if (killed || what != "round" || done != 1) return;
    killed = true;
    kill_child();
  };
  const SuiteProcess process = must(measure_suite(members_, plan_));
  EXPECT_TRUE(process.lost.empty());
  EXPECT_EQ(measured(process), members_.size());
}

TEST_F(SuiteProcessSlow, RoundsBeforeTheEndOfAProcessCount) {
  plan_.progress = [&](const std::string& what, std::int64_t done, std::int64_t) {
    if (what == "round" && done == 3) kill_child();
  };
  const SuiteProcess process = must(measure_suite(members_, plan_));
  ASSERT_EQ(measured(process), members_.size());
  EXPECT_EQ(process.bricks[0].runs.size(), 3U);
}

TEST_F(SuiteProcessSlow, WithoutTimeOnlyTheFirstBricksAreMeasured) {
  plan_.load_until = steady_clock().now();
  const SuiteProcess process = must(measure_suite(members_, plan_));
  EXPECT_EQ(measured(process), 1U);
  ASSERT_EQ(process.lost.size(), members_.size() - 1);
  EXPECT_EQ(process.lost[0].why, kBudgetSpent);
  EXPECT_EQ(process.bricks.size(), members_.size());
}

TEST_F(SuiteProcessSlow, AfterAnInterruptionTheRoundsSoFarCount) {
  std::atomic<bool> stop = false;
  plan_.options.interrupted = &stop;
  plan_.progress = [&](const std::string& what, std::int64_t done, std::int64_t) {
    if (what == "round" && done == 3) stop = true;
  };
  const SuiteProcess process = must(measure_suite(members_, plan_));
  EXPECT_EQ(measured(process), members_.size());
  EXPECT_GE(process.bricks[0].runs.size(), kMinRuns);
  EXPECT_LE(process.bricks[0].runs.size(), plan_.min_rounds);
}

}  // namespace
}  // namespace ridge::bricks
