// SPDX-License-Identifier: Apache-2.0
#include "compare/limit.h"

#include <gtest/gtest.h>

namespace ridge::compare {
namespace {

Diff sample() {
  Diff d;
  d.totals = {{"macs", 1000, 1060},   {"params", 0, 5},          {"flops", std::nullopt, 3},
              {"bytes_read", 80, 60}, {"bytes_written", 20, 20}, {"special", std::nullopt, 20, 10}};
  d.counts = {9, 0, 2, 1, 0};
  return d;
}

/// Returns the violation of a limit; "holds" if there is none.
std::string judged(std::string_view text) {
  const Result<Limit> limit = parse_limit(text);
  return limit.ok() ? violation(*limit, sample()).value_or("holds") : limit.error().text();
}

TEST(Limit, ComparesSharesAndNumbers) {
  EXPECT_EQ(judged("macs>6%"), "holds");
  EXPECT_EQ(judged("macs>5.5%"), "macs>5.5%: macs rose by 6 %, from 1.00 k to 1.06 k");
  EXPECT_EQ(judged("macs>60"), "holds");
  EXPECT_EQ(judged("macs>0.05k"), "macs>0.05k: macs rose by 60, from 1.00 k to 1.06 k");
  EXPECT_EQ(judged("bytes<-10%"), "bytes<-10%: bytes fell by 20 %, from 100 to 80");
  EXPECT_EQ(judged("bytes<-20%"), "holds");
}

TEST(Limit, FromNothingIsMoreThanAnyShare) {
  EXPECT_EQ(judged("params>1000%"), "params>1000%: params rose by 5, from 0 to 5");
}

TEST(Limit, CountsOfNodesAreFiguresToo) {
  EXPECT_EQ(judged("added>1"), "holds");
  EXPECT_EQ(judged("changed>1"), "changed>1: changed rose by 2, from 0 to 2");
}

TEST(Limit, WhatIsNotKnownHoldsNoLimit) {
  EXPECT_EQ(judged("flops>5%"), "flops>5%: flops is unknown for at least one of the models");
  EXPECT_EQ(judged("special>500%"),
            "special>500%: special is unknown for at least one of the models");
}

TEST(Limit, WhatCannotBeReadIsAUsageErrorWithTheForm) {
  EXPECT_EQ(
      judged("macs"),
      "error: 'macs' is not a valid limit\n  hint: write a figure, > or <, and a bound: macs>5%, "
      "params>0\n  [RIDGE-CMP-0001]\n");
  EXPECT_EQ(
      judged("mac>5%"),
      "error: 'mac>5%' is not a valid limit\n  hint: did you mean 'macs'?\n  [RIDGE-CMP-0001]\n");
  EXPECT_EQ(judged("macs>5x"),
            "error: 'macs>5x' is not a valid limit\n  hint: the bound is a number, a percentage, "
            "or ends in "
            "k, M, G or T\n  [RIDGE-CMP-0001]\n");
}

}  // namespace
}  // namespace ridge::compare
