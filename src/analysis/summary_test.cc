#include "analysis/summary.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

constexpr std::string_view kModel = R"(
  graph main
    input x[2,4]
    constant w1[4,8] w2[8,4]
    /enc/enc.0/fc/MatMul: MatMul(x, w1) -> a
    /enc/enc.0/act/Relu: Relu(a) -> b
    /enc/enc.1/fc/MatMul: MatMul(b, w2) -> c
    /head/act/Relu: Relu(c) -> d
    /head/Odd: com.acme.Odd(d) -> y
    output y
)";

std::string text(const std::vector<Group>& groups) {
  std::string out;
  for (const Group& g : groups)
    out += fmt::format("{} x{} macs {} flops {} params {}{}\n", g.key, g.nodes, g.macs, g.flops,
                       g.params, g.unknown == 0 ? "" : " unknown");
  return out;
}

TEST(Summary, OperatorsAreSortedByWork) {
  EXPECT_EQ(text(by_operator(resolved(kModel))),
            "MatMul x2 macs 128 flops 0 params 64\nRelu x2 macs 0 flops 24 params 0\ncom.acme.Odd "
            "x1 macs 0 flops 0 params 0 unknown\n");
}

TEST(Summary, TopNodesComeByMacsThenOtherWork) {
  EXPECT_EQ(top_nodes(resolved(kModel), 3), (std::vector<graph::NodeId>{0, 2, 1}));
  EXPECT_EQ(top_nodes(resolved(kModel), 100).size(), 4U);  // the unknown node has no known work
}

TEST(Summary, IntensityIsAllOperationsPerByte) {
  const Resolved r = resolved(kModel);
  EXPECT_DOUBLE_EQ(*intensity(r.counts(0)), 2.0 * 64 / (32 + 128 + 64));
  EXPECT_FALSE(intensity(r.counts(4)).has_value());
}

}  // namespace
}  // namespace ridge::analysis
