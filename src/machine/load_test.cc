// SPDX-License-Identifier: Apache-2.0
#include "machine/load.h"

#include <gtest/gtest.h>

namespace ridge::machine {
namespace {

LoadSample sample(std::int64_t at_s, double own_s, const char* stat) {
  LoadSample out;
  out.at = {at_s * 1'000'000'000};
  out.own = {static_cast<std::int64_t>(own_s * 1e9)};
  parse_stat(stat, 100, out);
  return out;
}

TEST(LoadBetween, SubtractsOurOwnTime) {
  const LoadSample before = sample(10, 1, "cpu  1000 50 200 9000 10 5 5 0 0 0\ncpu0 1 2\n");
  const LoadSample after = sample(12, 2.5, "cpu  1250 50 250 9100 20 5 5 20 0 0\n");
  const Load load = load_between(before, after);
  // 3.0 s busy in 2 s, of which 1.5 s by this process.
  EXPECT_NEAR(*load.foreign_cpus, 0.75, 1e-9);
  EXPECT_NEAR(*load.stolen_cpus, 0.1, 1e-9);
}

TEST(LoadBetween, IsNeverNegative) {
  const LoadSample before = sample(10, 1, "cpu  1000 0 0 0 0 0 0 0");
  const LoadSample after = sample(11, 2.5, "cpu  1100 0 0 0 0 0 0 0");
  EXPECT_EQ(load_between(before, after).foreign_cpus, 0.0);
}

TEST(LoadBetween, IsUnknownWithoutTheFile) {
  for (const char* text : {"", "intr 5", "cpu  1 2 x", "cpu  1 2 3"}) {
    const LoadSample before = sample(1, 0, text), after = sample(2, 0, text);
    EXPECT_FALSE(load_between(before, after).foreign_cpus.has_value()) << text;
  }
}

TEST(SampleLoad, ReadsThisMachine) {
  const LoadSample s = sample_load(live_files());
  EXPECT_TRUE(s.known);
  EXPECT_GT(s.own.count, 0);
}

}  // namespace
}  // namespace ridge::machine
