// SPDX-License-Identifier: Apache-2.0
#include "analysis/count_table.h"

#include <gtest/gtest.h>

namespace ridge::analysis {
namespace {

NodeCounts macs(std::int64_t n) {
  NodeCounts c;
  c.macs = ops::Dim(n);
  return c;
}

TEST(CountTable, BeginsWithNothingKnown) {
  const CountTable table(2);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_TRUE(table[1].macs.unknown());
  EXPECT_EQ(table[1].status, Status::kUnknown);
}

TEST(CountTable, KeepsEqualCountsOnceAndOthersApart) {
  CountTable table(3);
  table.set(0, macs(1));
  table.set(1, macs(1));
  table.set(2, macs(2));
  EXPECT_EQ(&table[0], &table[1]);
  EXPECT_TRUE(table[0].macs.is(1));
  EXPECT_TRUE(table[2].macs.is(2));
}

TEST(CountTable, ANodeThatIsSetAgainLeavesTheOthersAsTheyWere) {
  CountTable table(3);
  for (graph::NodeId n = 0; n < 3; ++n) table.set(n, macs(1));
  table.set(1, macs(2));
  table.reset(2);
  EXPECT_TRUE(table[0].macs.is(1));
  EXPECT_TRUE(table[1].macs.is(2));
  EXPECT_TRUE(table[2].macs.unknown());
  table.share(2, 1);
  table.reset(1);
  EXPECT_TRUE(table[2].macs.is(2));
}

TEST(CountTable, ReusesRowsThatNoNodeIsOn) {
  CountTable table(1);
  table.set(0, macs(1));
  const NodeCounts* first = &table[0];
  for (std::int64_t n = 2; n < 1000; ++n) {
    table.set(0, macs(n));
    EXPECT_TRUE(table[0].macs.is(n));
    EXPECT_EQ(&table[0], first);
  }
}

TEST(CountTable, TellsReasonsApart) {
  CountTable table(2);
  NodeCounts c;
  c.reason = "one";
  table.set(0, c);
  c.reason = "two";
  table.set(1, c);
  EXPECT_EQ(table[0].reason, "one");
  EXPECT_EQ(table[1].reason, "two");
}

}  // namespace
}  // namespace ridge::analysis
