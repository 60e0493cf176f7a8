// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace ridge::lab {
namespace {

class TestClock final : public Clock {
 public:
  Nanos now() const override { return now_; }
  void pass(std::int64_t s) { now_ += Nanos{s * 1'000'000'000}; }

 private:
  Nanos now_{0};
};

struct Points {
  explicit Points(int tries = 3) : ledger(clock, {.term = Nanos{15'000'000'000}, .tries = tries}) {}
  TestClock clock;
  Ledger ledger;

  std::size_t add(std::vector<std::size_t> workers) {
    return ledger.add({.label = "p", .workers = std::move(workers), .reason = {}, .by = {}});
  }
  TaskState state(std::size_t task) const { return ledger.tasks()[task].state; }
};

TEST(Ledger, LeasesAPointToWhoMayMeasureItAndOnlyOnce) {
  Points p;
  p.add({0});
  p.add({0, 1});
  const auto b = p.ledger.lease(1);
  ASSERT_TRUE(b);
  EXPECT_EQ(p.ledger.task_of(*b), 1U);
  const auto a = p.ledger.lease(0);
  ASSERT_TRUE(a);
  EXPECT_EQ(p.ledger.task_of(*a), 0U);
  EXPECT_FALSE(p.ledger.lease(0));
  EXPECT_FALSE(p.ledger.lease(2));
}

TEST(Ledger, ALeaseWithoutSignsOfLifeGoesToAnother) {
  Points p;
  p.add({0, 1});
  const LeaseId first = *p.ledger.lease(0);
  p.clock.pass(14);
  EXPECT_TRUE(p.ledger.expire().empty());
  p.ledger.renew(first);
  p.clock.pass(14);
  EXPECT_TRUE(p.ledger.expire().empty());
  p.clock.pass(1);
  EXPECT_EQ(p.ledger.expire(), std::vector<LeaseId>{first});
  EXPECT_TRUE(p.ledger.expire().empty());
  p.ledger.renew(first);  // too late
  EXPECT_TRUE(p.ledger.lease(1));
}

TEST(Ledger, TheFirstResultCountsEvenLate) {
  Points p;
  const std::size_t task = p.add({0, 1});
  const LeaseId first = *p.ledger.lease(0);
  p.clock.pass(20);
  p.ledger.expire();
  const LeaseId second = *p.ledger.lease(1);
  EXPECT_EQ(p.ledger.finish(first), Finished::kFirst);
  EXPECT_EQ(p.state(task), TaskState::kDone);
  EXPECT_EQ(p.ledger.finish(second), Finished::kAgain);
  EXPECT_EQ(p.ledger.finish(first), Finished::kAgain);
  EXPECT_EQ(p.ledger.tasks()[task].by, 0U);
}

TEST(Ledger, ALostPointIsTriedAgainAndThenGivenUp) {
  Points p;
  const std::size_t task = p.add({0});
  for (int i = 0; i < 2; ++i) {
    p.ledger.lose(*p.ledger.lease(0), "connection lost");
    EXPECT_EQ(p.state(task), TaskState::kWaiting);
  }
  const LeaseId last = *p.ledger.lease(0);
  p.ledger.lose(last, "connection lost");
  p.ledger.lose(last, "again");
  EXPECT_EQ(p.state(task), TaskState::kFailed);
  EXPECT_EQ(p.ledger.tasks()[task].reason,
            "given up after 3 lost leases; the last one: connection lost");
}

TEST(Ledger, APointThatOneDeclinesGoesToAnotherAndFailsWithTheLast) {
  Points p;
  const std::size_t task = p.add({0, 1});
  p.ledger.decline(*p.ledger.lease(0), "disk full");
  EXPECT_EQ(p.state(task), TaskState::kWaiting);
  EXPECT_FALSE(p.ledger.lease(0));
  const LeaseId last = *p.ledger.lease(1);
  p.ledger.decline(last, "no memory");
  p.ledger.decline(last, "again");
  EXPECT_EQ(p.state(task), TaskState::kFailed);
  EXPECT_EQ(p.ledger.tasks()[task].reason, "no memory");
}

TEST(Ledger, AFailureOfALeaseThatRanOutIsNotBelieved) {
  Points p;
  const std::size_t task = p.add({0, 1});
  const LeaseId first = *p.ledger.lease(0);
  p.clock.pass(20);
  p.ledger.expire();
  p.ledger.lease(1);
  p.ledger.fail(first, "late");
  EXPECT_EQ(p.state(task), TaskState::kLeased);
}

// Whatever machines do, each point is finished at most once, and none is leased twice at a time.
TEST(Ledger, RandomMachinesFinishEachPointOnce) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Points p(1000);
    std::mt19937_64 random(seed);
    constexpr std::size_t kPoints = 8, kWorkers = 3;
    for (std::size_t i = 0; i < kPoints; ++i) p.add({0, 1, 2});
    std::vector<LeaseId> out;
    std::map<std::size_t, int> firsts;
    for (int step = 0; step < 400; ++step) {
      if (const auto lease = p.ledger.lease(random() % kWorkers)) out.push_back(*lease);
      p.clock.pass(static_cast<std::int64_t>(random() % 10));
      for (const LeaseId id : p.ledger.expire()) EXPECT_TRUE(p.ledger.knows(id));
      if (out.empty()) continue;
      const LeaseId id = out[random() % out.size()];
      if (random() % 3 == 0) p.ledger.lose(id, "lost");
      if (random() % 3 == 0) p.ledger.renew(id);
      if (random() % 3 == 0 && p.ledger.finish(id) == Finished::kFirst)
        ++firsts[p.ledger.task_of(id)];
    }
    for (const auto& [task, times] : firsts) EXPECT_EQ(times, 1) << "seed " << seed;
    EXPECT_EQ(p.ledger.count(TaskState::kDone), firsts.size());
    EXPECT_EQ(firsts.size(), kPoints) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ridge::lab
