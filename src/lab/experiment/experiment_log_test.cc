// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experiment_log.h"

#include <gtest/gtest.h>

#include <string>

#include "base/temporary_folder.h"

namespace ridge::lab {
namespace {

using store::AgentState;
using store::ExperimentState;

class HandClock final : public Clock {
 public:
  Nanos now() const override { return now_; }
  void pass(Nanos time) { now_ += time; }

 private:
  Nanos now_{0};
};

/// An experiment of two points in a store of its own.
struct Logged {
  TemporaryFolder folder = TemporaryFolder::make().value();
  std::string path = folder.path() + "/runs.db";
  HandClock clock;
  store::Store store = store::Store::open(path, store::Access::kCreate).value();
  ExperimentLog log = ExperimentLog::begin(store, {.name = "matrix"}, clock).value();

  Logged() {
    const auto numbers = log.plan(
        {{.name = "1", .label = "p", .error = {}, .places = {{.machine = "a", .key = "k"}}},
         {.name = "2", .label = "q", .error = {}, .places = {}}});
    EXPECT_EQ(*numbers, (std::vector<std::int64_t>{1, 2}));
  }
  store::ExperimentReport report() const { return *store.experiment(log.id()); }
  std::string doing() const {
    const auto agents = report().agents;
    return agents.empty() ? "" : agents[0].doing;
  }
};

TEST(ExperimentLog, WritesOnceInAPauseWhatIsTheLastNews) {
  Logged l;
  l.log.tell({.name = "a", .state = AgentState::kMeasuring, .doing = "one"});
  l.log.write_if_due();
  EXPECT_EQ(l.doing(), "one");
  l.log.tell({.name = "a", .state = AgentState::kMeasuring, .doing = "two"});
  l.clock.pass(ExperimentLog::kPause + Nanos{-1});
  EXPECT_FALSE(l.log.is_due());
  l.log.write_if_due();
  EXPECT_EQ(l.doing(), "one");
  l.clock.pass(Nanos{1});
  l.log.write_if_due();
  EXPECT_EQ(l.doing(), "two");
}

TEST(ExperimentLog, ABusyStoreGetsTheNewsLater) {
  Logged l;
  l.log.failed(2, "it crashed");
  {
    const auto other = store::Database::open(l.path, store::Access::kWrite, Nanos{0});
    ASSERT_TRUE(other.ok());
    const auto writes = store::Transaction::begin(*other);
    ASSERT_TRUE(writes.ok());
    l.log.write_if_due();
    EXPECT_EQ(l.report().row.counts.failed, 0);
  }
  l.log.failed(1, "late");
  l.clock.pass(ExperimentLog::kPause);
  l.log.write_if_due();
  const store::ExperimentReport e = l.report();
  EXPECT_EQ(e.points[0].error, "late");
  EXPECT_EQ(e.points[1].error, "it crashed");
}

TEST(ExperimentLog, EndsWithItsAgentsButThoseThatAreGone) {
  Logged l;
  l.log.tell({.name = "a", .state = AgentState::kMeasuring, .doing = "p"});
  l.log.tell({.name = "b", .state = AgentState::kGone, .doing = {}, .reason = "no route"});
  l.log.tell({.name = "c", .state = AgentState::kUnfit, .doing = {}, .reason = "needs avx2"});
  l.log.measured(1, {.machine = "a", .key = {}});
  ASSERT_TRUE(l.log.end(ExperimentState::kStopped).ok());
  const store::ExperimentReport e = l.report();
  EXPECT_EQ(e.row.head.state, ExperimentState::kStopped);
  EXPECT_TRUE(e.row.head.ended_s);
  EXPECT_EQ(e.agents[0].state, AgentState::kEnded);
  EXPECT_EQ(e.agents[0].doing, "");
  EXPECT_EQ(e.agents[1].state, AgentState::kGone);
  EXPECT_EQ(e.agents[1].reason, "no route");
  EXPECT_EQ(e.agents[2].state, AgentState::kUnfit);
}

TEST(ExperimentLog, CannotBeginInAStoreThatIsLocked) {
  const TemporaryFolder folder = TemporaryFolder::make().value();
  const std::string path = folder.path() + "/runs.db";
  ASSERT_TRUE(store::Store::open(path, store::Access::kCreate).ok());
  auto mine = store::Store::open(path, store::Access::kWrite, Nanos{0});
  const auto other = store::Database::open(path, store::Access::kWrite, Nanos{0});
  const auto writes = store::Transaction::begin(*other);
  const HandClock clock;
  const auto log = ExperimentLog::begin(*mine, {.name = "matrix"}, clock);
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code(), "RIDGE-STORE-0006");
}

}  // namespace
}  // namespace ridge::lab
