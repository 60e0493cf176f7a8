// SPDX-License-Identifier: Apache-2.0
#include "machine/working_set.h"

#include <gtest/gtest.h>

#include "machine/testing.h"

namespace ridge::machine {
namespace {

constexpr std::int64_t kKi = 1024, kMi = 1024 * kKi;

std::vector<int> ids(const std::vector<Cpu>& cpus) {
  std::vector<int> out;
  for (const Cpu& c : cpus) out.push_back(c.id);
  return out;
}

std::vector<std::int64_t> sizes(const std::vector<WorkingSet>& sets) {
  std::vector<std::int64_t> out;
  for (const WorkingSet& s : sets) out.push_back(s.bytes_per_thread);
  return out;
}

TEST(PlaceThreads, FillsCoresBeforeSiblings) {
  const Host host = testing::smt_host();
  EXPECT_EQ(ids(place_threads(host, 4)), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(ids(place_threads(host, 6)), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(place_threads(host, 99).size(), 8u);
  EXPECT_TRUE(place_threads(host, 0).empty());
}

TEST(WorkingSets, AreHalfOfAThreadsShareOfEachCache) {
  const Host host = testing::epyc_host();
  EXPECT_EQ(sizes(working_sets(host, place_threads(host, 1))),
            (std::vector<std::int64_t>{16 * kKi, 512 * kKi, 8 * kMi, 128 * kMi}));
  EXPECT_EQ(sizes(working_sets(host, place_threads(host, 2))),
            (std::vector<std::int64_t>{16 * kKi, 512 * kKi, 4 * kMi, 64 * kMi}));
}

TEST(WorkingSets, DivideCachesAmongSiblings) {
  const Host host = testing::smt_host();
  const auto sets = working_sets(host, place_threads(host, 8));
  EXPECT_EQ(sets[0].bytes_per_thread, 8 * kKi);
  EXPECT_EQ(sets[1].bytes_per_thread, 256 * kKi);
}

TEST(WorkingSets, LeaveOutALevelThatHoldsNoMoreThanTheOneBefore) {
  Host host = testing::smt_host();
  for (HostCache& c : host.caches) {
    if (c.level == 3) c.bytes = 4 * kMi;
  }
  const auto sets = working_sets(host, place_threads(host, 4));
  ASSERT_EQ(sets.size(), 4u);
  EXPECT_EQ(sets[2].bytes_per_thread, 0);
  EXPECT_EQ(sets[2].reason, "a thread's share is less than twice the cache before it");
}

TEST(WorkingSets, AreAtMostEightTimesTheCacheBefore) {
  Host host = testing::epyc_host();  // 1 MiB of L2 each
  for (HostCache& c : host.caches) {
    if (c.level == 3) c.bytes = 512 * kMi;
  }
  EXPECT_EQ(sizes(working_sets(host, place_threads(host, 2)))[2], 8 * kMi);
}

TEST(ReachSets, GoFromTheWorkingSetToTwiceTheShareOfAThread) {
  const Host host = testing::epyc_host();  // 32 MiB of L3
  EXPECT_EQ(reach_sets(host, place_threads(host, 1)),
            (std::vector<std::int64_t>{8 * kMi, 12 * kMi, 18 * kMi, 27 * kMi, 27 * kMi * 3 / 2,
                                       27 * kMi * 9 / 4, 64 * kMi}));
  EXPECT_EQ(reach_sets(host, place_threads(host, 2)).back(), 32 * kMi);
}

TEST(ReachSets, NeedBothLevels) {
  Host host = testing::epyc_host();
  host.cgroup_memory_bytes = 100 * kMi;
  EXPECT_TRUE(reach_sets(host, place_threads(host, 1)).empty());
  host = testing::epyc_host();
  host.caches.clear();
  EXPECT_TRUE(reach_sets(host, place_threads(host, 1)).empty());
}

TEST(WorkingSets, ReachBeyondLargeCaches) {
  Host host = testing::epyc_host();
  for (HostCache& c : host.caches) {
    if (c.level == 3) c.bytes = 512 * kMi;
  }
  EXPECT_EQ(sizes(working_sets(host, place_threads(host, 2)))[3], 1024 * kMi);
}

TEST(WorkingSets, KeepWithinTheMemoryThatMayBeUsed) {
  Host host = testing::epyc_host();
  host.cgroup_memory_bytes = 400 * kMi;
  EXPECT_EQ(sizes(working_sets(host, place_threads(host, 1)))[3], 100 * kMi);
  host.cgroup_memory_bytes = 100 * kMi;
  const auto sets = working_sets(host, place_threads(host, 1));
  EXPECT_EQ(sets[3].bytes_per_thread, 0);
  EXPECT_EQ(sets[3].reason, "a quarter of the memory is less than twice the caches");
}

TEST(WorkingSets, NeedNoKnownCacheForMemory) {
  Host host = testing::epyc_host();
  host.caches.clear();
  const auto sets = working_sets(host, place_threads(host, 1));
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].level, "memory");
  EXPECT_EQ(sets[0].bytes_per_thread, 128 * kMi);
}

}  // namespace
}  // namespace ridge::machine
