// SPDX-License-Identifier: Apache-2.0
#include "trace/overlap.h"

#include <gtest/gtest.h>

#include <random>

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Timeline;

TEST(ClockFaults, CountsEachKind) {
  Timeline t;
  const auto parent = t.add({.level = Level::kLayer, .start_ns = 100, .end_ns = 200});
  t.add({.parent = parent, .level = Level::kLibrary, .start_ns = 90, .end_ns = 120});
  t.add({.parent = parent, .level = Level::kLibrary, .start_ns = 110, .end_ns = 140});  // overlaps
  t.add({.level = Level::kLibrary, .start_ns = 112, .end_ns = 118});  // inside: no fault
  t.add({.level = Level::kKernel, .start_ns = 150, .end_ns = 149});
  const ClockFaults f = clock_faults(t);
  EXPECT_EQ(f.negative, 1U);
  EXPECT_EQ(f.overlapping, 1U);
  EXPECT_EQ(f.before_cause, 1U);
}

TEST(ClockFaults, LanesDoNotOverlapEachOther) {
  Timeline t;
  for (const char* queue : {"7", "8"})
    t.add({.level = Level::kKernel, .start_ns = 0, .end_ns = 10, .queue = t.intern(queue)});
  t.add({.level = Level::kKernel, .start_ns = 10, .end_ns = 20, .queue = t.intern("7")});
  EXPECT_EQ(clock_faults(t).overlapping, 0U);
}

TEST(Covered, IsWhatPointsSay) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<Interval> intervals;
    std::vector<bool> points(64, false);
    for (int i = 0; i < 12; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 50);
      const auto end = start + static_cast<std::int64_t>(random() % 14) - 2;
      intervals.push_back({start, end});
      for (std::int64_t p = start; p < end; ++p) points[static_cast<std::size_t>(p)] = true;
    }
    EXPECT_EQ(covered_ns(intervals), std::count(points.begin(), points.end(), true));
  }
}

}  // namespace
}  // namespace ridge::trace
