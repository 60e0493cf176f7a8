// SPDX-License-Identifier: Apache-2.0
#include "analysis/summary.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::kLayered;
using testing::resolved;

std::string text(const std::vector<Group>& groups) {
  std::string out;
  for (const Group& g : groups)
    out += fmt::format("{} x{} macs {} flops {} params {}{}\n", g.key, g.nodes, g.macs, g.flops,
                       g.params, g.unknown == 0 ? "" : " unknown");
  return out;
}

TEST(Summary, OperatorsAreSortedByWork) {
  EXPECT_EQ(text(by_operator(resolved(kLayered))),
            "MatMul x2 macs 128 flops 0 params 64\nRelu x2 macs 0 flops 24 params 0\ncom.acme.Odd "
            "x1 macs 0 flops 0 params 0 unknown\n");
}

TEST(Summary, TopNodesComeByMacsThenOtherWork) {
  EXPECT_EQ(top_nodes(resolved(kLayered), 3), (std::vector<graph::NodeId>{0, 2, 1}));
  EXPECT_EQ(top_nodes(resolved(kLayered), 100).size(), 4U);  // the unknown node has no known work
}

TEST(Summary, IntensityIsAllOperationsPerByte) {
  const Resolved r = resolved(kLayered);
  EXPECT_DOUBLE_EQ(*intensity(r.counts(0)), 2.0 * 64 / (32 + 128 + 64));
  EXPECT_FALSE(intensity(r.counts(4)).has_value());
}

}  // namespace
}  // namespace ridge::analysis
