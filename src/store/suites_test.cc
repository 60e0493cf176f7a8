// SPDX-License-Identifier: Apache-2.0
// Suites of bricks in a store.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>
#include <map>

#include "store/both_testing.h"
#include "store/suite_testing.h"

namespace ridge::store {
namespace {

class SuitesOnBoth : public OnBoth {};
INSTANTIATE_TEST_SUITE_P(Kinds, SuitesOnBoth, kKinds, kind_name);

TEST_P(SuitesOnBoth, GiveBackEveryMemberOfEveryProcessInOrder) {
  const std::vector<std::string> kPoints = {"{\"threads\":2}", "", std::string("a'\0b", 4)};
  std::map<std::string, std::vector<SuiteProcess>> expected;
  {
    Store store = opened(database("runs.db"));
    for (std::uint64_t seed = 0; seed < 90; ++seed) {
      const SuiteProcess process = filled_process(seed, kPoints[seed * seed % 7 % 3]);
      const auto added = store.append(process);
      ASSERT_TRUE(added.ok()) << added.error().text();
      EXPECT_TRUE(*added);
      expected[process.point].push_back(process);
    }
  }
  const Store store = opened(database("runs.db"), Access::kRead);
  ASSERT_EQ(expected.size(), 3U);
  for (const auto& [point, processes] : expected) EXPECT_EQ(read_all(store, point), processes);
  EXPECT_EQ(store.suite_points().value(),
            (std::vector<std::string>{kPoints[0], kPoints[1], kPoints[2]}));
}

TEST_P(SuitesOnBoth, AreAbsentAtAnotherPoint) {
  Store store = opened(database("runs.db"));
  EXPECT_TRUE(store.suite_points()->empty());
  ASSERT_TRUE(store.append(filled_process(1, "a point")).ok());
  EXPECT_TRUE(read_all(store, "a poin").empty());
  EXPECT_TRUE(read_all(store, "").empty());
}

TEST_P(SuitesOnBoth, KeepWhatIsEmptyOrUnknown) {
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(SuiteProcess{}).ok());
  EXPECT_EQ(read_all(store, ""), std::vector<SuiteProcess>{SuiteProcess{}});
  SuiteProcess unknown = small_process();
  unknown.load_s = std::nan("");
  EXPECT_TRUE(store.append(unknown).value());
  EXPECT_FALSE(store.append(unknown).value());
  EXPECT_TRUE(std::isnan(read_all(store, "p").at(0).load_s));
}

TEST_P(SuitesOnBoth, AreKnownByEveryMemberOfTheirContent) {
  const std::vector<std::function<void(SuiteProcess&)>> kChanges = {
      [](auto& p) { p.point += "x"; },
      [](auto& p) { ++p.recorded_s; },
      [](auto& p) { p.load_s += 1; },
      [](auto& p) { p.run_s += 1; },
      [](auto& p) { p.bricks[0].key += "x"; },
      [](auto& p) { p.bricks[0].kind += "x"; },
      [](auto& p) { ++p.bricks[0].macs; },
      [](auto& p) { ++p.bricks[0].bytes; },
      [](auto& p) { ++p.bricks[0].load_ns; },
      [](auto& p) { p.bricks[0].reuse_bytes += 1; },
      [](auto& p) { ++p.bricks[0].runs[1].round; },
      [](auto& p) { ++p.bricks[0].runs[1].reported_ns; },
      [](auto& p) { ++p.bricks[0].runs[1].events; },
      [](auto& p) { p.bricks[0].runs[1].foreign_cpus = 0; },
      [](auto& p) { ++p.chains[1].kernels; },
      [](auto& p) { ++p.chains[1].round; },
      [](auto& p) { ++p.chains[1].plain_ns; },
      [](auto& p) { ++p.chains[1].profiled_ns; },
      [](auto& p) { ++p.chains[1].reported_ns; },
      [](auto& p) { p.chains[1].foreign_cpus = 0; },
      [](auto& p) { ++p.chains[1].bytes; },
      [](auto& p) { p.lost[1].key += "x"; },
      [](auto& p) { p.lost[1].why += "x"; },
      [](auto& p) { std::swap(p.bricks[0], p.bricks[1]); },
      [](auto& p) { std::swap(p.bricks[0].runs, p.bricks[1].runs); },
      [](auto& p) { p.bricks[0].runs.pop_back(); },
      [](auto& p) { p.bricks.pop_back(); },
      [](auto& p) { p.chains.pop_back(); },
      [](auto& p) { p.lost.pop_back(); },
  };
  Store store = opened(database("runs.db"));
  ASSERT_TRUE(store.append(small_process()).value());
  for (std::size_t i = 0; i < kChanges.size(); ++i) {
    SuiteProcess changed = small_process();
    kChanges[i](changed);
    EXPECT_TRUE(store.append(changed).value()) << "change " << i;
    EXPECT_FALSE(store.append(changed).value()) << "change " << i;
  }
  EXPECT_FALSE(store.append(small_process()).value());
  EXPECT_EQ(read_all(store, "p").size(), kChanges.size());  // one change is of the point
}

TEST_P(SuitesOnBoth, AreMergedOnce) {
  Store a = opened(database("a.db"));
  {
    Store b = opened(database("b.db"));
    for (const std::uint64_t seed : {1UL, 2UL})
      ASSERT_TRUE(a.append(filled_process(seed, "p")).ok());
    for (const std::uint64_t seed : {2UL, 3UL})
      ASSERT_TRUE(b.append(filled_process(seed, "p")).ok());
    ASSERT_TRUE(b.append(filled_process(4, "q")).ok());
    ASSERT_TRUE(b.append(filled_profile(5)).ok());
  }
  const Store b = opened(database("b.db"), Access::kRead);
  const Merged first = a.merge(b).value();
  EXPECT_EQ(first.suites, 2);
  EXPECT_EQ(first.added, 1);
  EXPECT_EQ(first.duplicates, 0);
  EXPECT_EQ(a.merge(b)->suites, 0);
  EXPECT_EQ(read_all(a, "p"),
            (std::vector<SuiteProcess>{filled_process(1, "p"), filled_process(2, "p"),
                                       filled_process(3, "p")}));
  EXPECT_EQ(read_all(a, "q"), std::vector<SuiteProcess>{filled_process(4, "q")});
}

TEST_P(SuitesOnBoth, LeaveNoRowsOfAProcessThatIsDeleted) {
  const std::string path = database("runs.db");
  SuiteProcess other = small_process();
  other.recorded_s += 1;
  for (const SuiteProcess& process : {small_process(), other})
    ASSERT_TRUE(opened(path).append(process).ok());
  run_sql(path, "DELETE FROM suite WHERE id = 1");
  EXPECT_EQ(read_all(opened(path), "p"), std::vector<SuiteProcess>{other});
  run_sql(path, "DELETE FROM suite");
  for (const char* table : {"suite_brick", "brick_run", "chain_run", "lost_brick"})
    EXPECT_EQ(number(path, "SELECT count(*) FROM " + std::string(table)), 0) << table;
}

SuiteProcess big_process(std::int64_t number) {
  SuiteProcess out = small_process();
  out.recorded_s = number;
  out.bricks[0].runs.assign(20'000, {.reported_ns = number});
  return out;
}

TEST_P(SuitesOnBoth, AKilledWriterLeavesWholeProcessesOnly) {
  const std::string path = database("runs.db");
  opened(path);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    Result<Store> store = Store::open(path, Access::kWrite);
    for (std::int64_t i = 0; store.ok(); ++i)
      if (!store->append(big_process(i)).ok() || ::write(ends[1], "k", 1) != 1) break;
    _exit(1);
  }
  ASSERT_GT(child, 0);  // kill(-1) would signal every process
  close(ends[1]);
  char mark = 0;
  std::int64_t told = read(ends[0], &mark, 1);
  usleep(2000);  // the next append has begun
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  while (read(ends[0], &mark, 1) == 1) ++told;
  close(ends[0]);

  Store store = opened(path);
  const std::vector<SuiteProcess> kept = read_all(store, "p");
  EXPECT_GE(std::ssize(kept), told);  // the last one may be stored but not reported
  EXPECT_LE(std::ssize(kept), told + 1);
  for (std::int64_t i = 0; i < std::ssize(kept); ++i)
    EXPECT_TRUE(kept[static_cast<std::size_t>(i)] == big_process(i)) << "process " << i;
  EXPECT_TRUE(store.append(small_process()).value());
}

}  // namespace
}  // namespace ridge::store
