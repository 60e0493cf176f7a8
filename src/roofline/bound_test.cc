// SPDX-License-Identifier: Apache-2.0
#include "roofline/bound.h"

#include <gtest/gtest.h>

namespace ridge::roofline {
namespace {

/// 100 GFLOP/s; L1 32 KB at 400 GB/s, L2 1 MB at 200 GB/s, L3 16 MB at 100 GB/s, memory at 20 GB/s.
Roofs machine() {
  const auto bandwidth = [](const char* level, double value) {
    return machine::Roof{.kind = "read",
                         .dtype = "float32",
                         .level = level,
                         .unit = "B/s",
                         .instruction = "",
                         .threads = 1,
                         .value = value};
  };
  const std::vector<machine::Roof> rows = {{.kind = "compute",
                                            .dtype = "float32",
                                            .level = "",
                                            .unit = "FLOP/s",
                                            .instruction = "fma",
                                            .threads = 1,
                                            .value = 100e9},
                                           {.kind = "compute",
                                            .dtype = "float32",
                                            .level = "",
                                            .unit = "FLOP/s",
                                            .instruction = "fma",
                                            .threads = 2,
                                            .value = 190e9},
                                           bandwidth("L1", 400e9),
                                           bandwidth("L2", 200e9),
                                           bandwidth("L3", 100e9),
                                           bandwidth("memory", 20e9)};
  return roofs_from(rows, {{"L1", 32'000, 2}, {"L2", 1'000'000, 2}, {"L3", 16'000'000, 1}}, 1);
}

/// Demand of one trip that touches whole lines.
Demand once(profile::Count macs, profile::Count bytes, std::string dtype = "float32") {
  return {.least = {.macs = macs, .bytes = bytes, .line_bytes = bytes}, .dtype = std::move(dtype)};
}

TEST(Bound, ComputeBindsWhereTheMacsTakeLongest) {
  const auto b = bound_of(once(50'000'000, 1'000'000), machine(), 1000, 2e6);
  EXPECT_EQ(b.kind, "compute");
  EXPECT_DOUBLE_EQ(*b.time_ns, 1e6);  // 1e8 FLOP at 1e11 FLOP/s
  EXPECT_DOUBLE_EQ(*b.roof_share, 0.5);
}

TEST(Bound, BytesThatFitACacheAreNotChargedToTheLevelBehindIt) {
  // 900 kB fit in L1 and L2: L1 delivers all (2.25 us), L2 868 kB (4.34 us), L3 and memory nothing.
  const auto b = bound_of(once(0, 900'000), machine(), 0, 1e4);
  EXPECT_EQ(b.kind, "memory:L2");
  EXPECT_DOUBLE_EQ(*b.time_ns, 868'000 / 200e9 * 1e9);
}

TEST(Bound, WhatOutgrowsEveryCacheComesFromMemory) {
  const auto b = bound_of(once(0, 216'000'000), machine(), 0, 2e7);
  EXPECT_EQ(b.kind, "memory:memory");
  EXPECT_DOUBLE_EQ(*b.time_ns, 198'968'000 / 20e9 * 1e9);  // less the capacity of all three caches
}

TEST(Bound, CachesMayHoldDifferentLinesAndAddUp) {
  // 16.5 MB exceed L3, but L2 may contain the rest (AMD's L3 is filled from L2).
  const auto b = bound_of(once(0, 16'500'000), machine(), 0, 1e6);
  EXPECT_EQ(b.kind, "memory:L3");
  EXPECT_DOUBLE_EQ(*b.time_ns, (16'500'000 - 1'032'000) / 100e9 * 1e9);
}

TEST(Bound, EachTripFindsTheCachesAsTheLastLeftThem) {
  // 100 trips over 500 kB: each may find them in L1 and L2; a single trip over 50 MB could not.
  Demand d = once(0, 500'000);
  d.least.trips = 100;
  const auto b = bound_of(d, machine(), 0, 1e7);
  EXPECT_EQ(b.kind, "memory:L2");
  EXPECT_DOUBLE_EQ(*b.time_ns, 100 * (468'000 / 200e9 * 1e9));
}

TEST(Bound, TheNearestCacheDeliversBytesTheOthersLines) {
  Demand d = once(0, 40'000);
  d.least.line_bytes = 640'000;
  const auto b = bound_of(d, machine(), 0, 1e6);
  EXPECT_EQ(b.kind, "memory:L2");
  EXPECT_DOUBLE_EQ(*b.time_ns, 608'000 / 200e9 * 1e9);
  d.least.line_bytes = 40'000;
  EXPECT_DOUBLE_EQ(*bound_of(d, machine(), 0, 1e6).time_ns, 40'000 / 400e9 * 1e9);
}

TEST(Bound, OfSmallWorkOverheadBindsAndTheBoundStaysThatOfTheRoofs) {
  // The cheapest kernel was measured in another model and is another kernel: no bound for this
  // layer.
  const auto b = bound_of(once(10, 80), machine(), 900, 1800);
  EXPECT_EQ(b.kind, "overhead");
  EXPECT_DOUBLE_EQ(*b.time_ns, 80 / 400e9 * 1e9);
  EXPECT_DOUBLE_EQ(*b.roof_share, *b.time_ns / 1800);
}

TEST(Bound, ALayerAboveItsRoofIsReportedAsSuch) {
  EXPECT_GT(*bound_of(once(50'000'000, 1'000), machine(), 0, 5e5).roof_share, 1.9);
}

/// 117.032 MB of 134.4 MB pass the memory, at its read roof.
TEST(Bound, ReadsAreHeldToTheReadRoof) {
  Roofs r = machine();
  EXPECT_DOUBLE_EQ(r.levels.back().read_per_s, 20e9);
  r.levels.back().bytes_per_s = 50e9;  // a triad may be faster than reads alone
  const StreamBound b = stream_bound(134'064'000, r);
  EXPECT_EQ(b.level, "memory");
  EXPECT_EQ(b.bytes, 134'064'000 - 17'032'000);
  EXPECT_DOUBLE_EQ(b.time_ns, 117'032'000 / 20e9 * 1e9);
  EXPECT_EQ(stream_bound(20'000, r).level, "L1");
  EXPECT_EQ(stream_bound(0, r).time_ns, 0);
}

/// The last example of the header, and a reach below the stated size.
TEST(Bound, WhatTheOutermostCacheIsSeenToKeepIsReadFromIt) {
  Roofs r = machine();
  Level& cache = r.levels[r.levels.size() - 2];
  cache.read_per_s = 66e9;
  cache.reach = 33'000'000;
  cache.capacity = 33'000'000 - 1'032'000;  // with L1 and L2 33 MB
  const StreamBound b = stream_bound(136'000'000, r);
  EXPECT_EQ(b.level, "memory");
  EXPECT_EQ(b.bytes, 103'000'000);
  EXPECT_DOUBLE_EQ(b.time_ns, (33e6 / 66e9 + 103e6 / 20e9) * 1e9);
  // 16 MB fit into the caches.
  EXPECT_NE(stream_bound(16'000'000, r).level, "memory");
}

machine::Roof of_two_threads(const char* level) {
  return {.kind = "copy",
          .dtype = "float32",
          .level = level,
          .unit = "B/s",
          .instruction = "",
          .threads = 2,
          .value = 1};
}

TEST(Roofs, ACacheHoldsNoMoreThanItsReach) {
  const auto level = [&](std::int64_t reach) {
    return roofs_from({of_two_threads("L3")}, {{"L3", 1000, 1, reach}}, 2).levels.at(0);
  };
  EXPECT_EQ(level(0).capacity, 1000);
  EXPECT_EQ(level(300).capacity, 300);
  EXPECT_EQ(level(1200).capacity, 1000);
  EXPECT_EQ(level(1200).reach, 1200);
}

TEST(Bound, WhatCannotBeKnownIsNullWithAReason) {
  const auto type = bound_of(once(1'000'000, 100, "int8"), machine(), 0, 1e6);
  EXPECT_FALSE(type.time_ns);
  EXPECT_EQ(type.reason, "no compute roof was measured for int8");
  EXPECT_EQ(bound_of(once(std::nullopt, 100), machine(), 0, 1).reason,
            "the work of a member is unknown");
  EXPECT_EQ(bound_of(once(1, std::nullopt), machine(), 0, 1).reason,
            "the size of a boundary tensor is unknown");
  EXPECT_EQ(bound_of(once(1, 1), Roofs{}, 0, 1).reason, "no memory roof was measured");
}

TEST(Roofs, PrivateCachesAddUpOverThreadsAndSharedOnesDoNot) {
  const Roofs r = roofs_from({of_two_threads("L2"), of_two_threads("L3")},
                             {{"L2", 100, 8}, {"L3", 1000, 1}}, 2);
  ASSERT_EQ(r.levels.size(), 2U);
  EXPECT_EQ(r.levels[0].capacity, 200);
  EXPECT_EQ(r.levels[1].capacity, 1000);
}

}  // namespace
}  // namespace ridge::roofline
