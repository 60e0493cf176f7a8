// SPDX-License-Identifier: Apache-2.0
// The log of queries: what several writers add is read back in the order of the schedule, and a
// corrupted log is bounded.
#include "runtime/load/query_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/testing/limited_memory.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using scenario::Query;

TEST(QueryLog, ReturnsWhatWorkersWroteInTheOrderOfTheSchedule) {
  constexpr std::int64_t kEach = 5000;  // several chunks
  const QueryLog log = expect_ok(QueryLog::make(4 * kEach, 4));
  std::vector<std::thread> workers;
  for (std::int64_t worker = 0; worker < 4; ++worker)
    workers.emplace_back([&log, worker] {
      QueryLog own = expect_ok(QueryLog::map(log.descriptor().get(), log.bytes()));
      QueryLog::Writer writer = own.writer();
      for (std::int64_t i = 0; i < kEach; ++i)
        if (!writer.add({.scheduled_ns = i * 4 + worker, .issued_ns = i, .done_ns = worker})) break;
    });
  for (std::thread& worker : workers) worker.join();
  const std::vector<Query> all = expect_ok(log.queries());
  ASSERT_EQ(std::ssize(all), 4 * kEach);
  for (std::int64_t i = 0; i < 4 * kEach; ++i) {
    const Query& q = all[static_cast<std::size_t>(i)];
    ASSERT_EQ(q.scheduled_ns, i);
    ASSERT_EQ(q.done_ns, i % 4);
  }
}

TEST(QueryLog, ReportsThatItIsFull) {
  QueryLog log = expect_ok(QueryLog::make(1, 1));
  QueryLog::Writer writer = log.writer();
  std::size_t added = 0;
  while (added < 1'000'000 && writer.add({.scheduled_ns = static_cast<std::int64_t>(added)}))
    ++added;
  EXPECT_GT(added, 1U);
  EXPECT_LT(added, 10'000U);
  EXPECT_EQ(expect_ok(log.queries()).size(), added);
}

TEST(QueryLog, BoundsWhatACorruptedProcessWrote) {
  QueryLog log = expect_ok(QueryLog::make(100, 1));
  ASSERT_TRUE(log.writer().add({.scheduled_ns = 7}));
  const QueryLog seen = expect_ok(QueryLog::map(log.descriptor().get(), log.bytes()));
  ipc::Mapping memory = expect_ok(
      ipc::Mapping::map(log.descriptor().get(), log.bytes(), ipc::Mapping::Access::kReadWrite));
  // Every count in the log, the chunks' counts included, becomes as large as can be.
  for (std::size_t at = 0; at < memory.bytes().size(); at += QueryLog::kChunkBytes)
    std::memset(&memory.bytes()[at], 0xff, 8);
  EXPECT_LE(expect_ok(seen.queries()).size() * sizeof(Query), log.bytes());
}

TEST(QueryLog, TakesAddressSpaceAsQueriesCome) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 26;  // of a load without another limit
  const std::int64_t before = ridge::testing::address_space();
  QueryLog log = expect_ok(QueryLog::make(kMax, 1));
  EXPECT_GT(log.bytes(), kMax * sizeof(Query));
  EXPECT_LE(log.mapped_bytes(), QueryLog::kWindowBytes);
  EXPECT_LT(ridge::testing::address_space() - before, std::int64_t{64} << 20);
  constexpr std::int64_t kAdded = 300'000;  // of some 130,000 in a window
  QueryLog::Writer writer = log.writer();
  for (std::int64_t i = 0; i < kAdded; ++i) ASSERT_TRUE(writer.add({.scheduled_ns = kAdded - i}));
  EXPECT_EQ(log.mapped_bytes(), 3 * QueryLog::kWindowBytes);
  const std::vector<Query> all = expect_ok(log.queries());
  ASSERT_EQ(std::ssize(all), kAdded);
  for (std::int64_t i = 0; i < kAdded; ++i)
    ASSERT_EQ(all[static_cast<std::size_t>(i)].scheduled_ns, i + 1);
}

}  // namespace
}  // namespace ridge::runtime
