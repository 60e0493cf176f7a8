// SPDX-License-Identifier: Apache-2.0
#include "analysis/outline.h"

#include <gtest/gtest.h>

#include "analysis/testing.h"

namespace ridge::analysis {
namespace {

using testing::resolved;

std::string shown_outline(const Resolved& r, const OutlineOptions& options) {
  std::string out;
  for (const OutlineRow& row : outline(r, options))
    out += fmt::format("{:{}}{} x{} [{}] nodes {} macs {} params {}\n", "", 2 * row.level,
                       row.label.empty() ? "." : row.label, row.count, row.operators,
                       row.work.nodes, r.dims().text(row.work.macs), row.work.params);
  return out;
}

/// Model of blocks (a matrix product and a Relu) with the given widths, then a head.
std::string blocks(const std::vector<int>& widths) {
  std::string weights, nodes, last = "x";
  int from = 4;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    weights += fmt::format(" w{}[{},{}]", i, from, widths[i]);
    nodes += fmt::format(
        "/net/net.{0}/fc/MatMul: MatMul({1}, w{0}) -> a{0}\n/net/net.{0}/Relu: Relu(a{0}) -> "
        "b{0}\n",
        i, last);
    from = widths[i];
    last = fmt::format("b{}", i);
  }
  return fmt::format("graph main\ninput x[2,4]\nconstant{}\n{}/head/Neg: Neg({}) -> y\noutput y",
                     weights, nodes, last);
}

TEST(Outline, CopiesSideBySideAreOneRowWithTheFiguresOfAll) {
  EXPECT_EQ(shown_outline(resolved(blocks({4, 4, 4})), {.depth = 3}),
            ". x1 [] nodes 7 macs 96 params 48\n"
            "  net x1 [] nodes 6 macs 96 params 48\n"
            "    net.0 .. 2 x3 [] nodes 6 macs 96 params 48\n"
            "      fc x1 [MatMul] nodes 3 macs 96 params 48\n"
            "      (own nodes) x1 [Relu] nodes 3 macs 0 params 0\n"
            "  head x1 [Neg] nodes 1 macs 0 params 0\n");
}

TEST(Outline, WhatDiffersInWorkOrOutputIsARowOfItsOwn) {
  EXPECT_EQ(shown_outline(resolved(blocks({4, 8, 4, 4, 4})), {.depth = 2}),
            ". x1 [] nodes 11 macs 224 params 112\n"
            "  net x1 [] nodes 10 macs 224 params 112\n"
            "    net.0, 3, 4 x3 [MatMul, Relu] nodes 6 macs 96 params 48\n"
            "    net.1 x1 [MatMul, Relu] nodes 2 macs 64 params 32\n"
            "    net.2 x1 [MatMul, Relu] nodes 2 macs 64 params 32\n"
            "  head x1 [Neg] nodes 1 macs 0 params 0\n");
}

TEST(Outline, SingleNodesOfASequenceKeepTheirOrder) {
  const Resolved r = resolved(R"(
    graph main
      input x[4]
      /f/f.0/Relu: Relu(x) -> a
      /f/f.1/Neg: Neg(a) -> b
      /f/f.2/Relu: Relu(b) -> c
      /f/f.3/Relu: Relu(c) -> d
      /f/n_1/Abs: Abs(d) -> e
      /f/m/Neg: Neg(e) -> g
      /f/n_2/Abs: Abs(g) -> h
      /f/m2/Neg: Neg(h) -> i
      /f/n_3/Abs: Abs(i) -> y
      output y
  )");
  EXPECT_EQ(shown_outline(r, {.depth = 2}),
            ". x1 [] nodes 9 macs 0 params 0\n"
            "  f x1 [] nodes 9 macs 0 params 0\n"
            "    f.0 x1 [Relu] nodes 1 macs 0 params 0\n"
            "    f.1 x1 [Neg] nodes 1 macs 0 params 0\n"
            "    f.2, 3 x2 [Relu] nodes 2 macs 0 params 0\n"
            "    n_1 .. 3 x3 [Abs] nodes 3 macs 0 params 0\n"
            "    m x1 [Neg] nodes 1 macs 0 params 0\n"
            "    m2 x1 [Neg] nodes 1 macs 0 params 0\n");
}

TEST(Outline, TwoCopiesWithOthersBetweenKeepTheirPlaces) {
  EXPECT_EQ(shown_outline(resolved(blocks({4, 8, 4, 4})), {.depth = 2}),
            ". x1 [] nodes 9 macs 192 params 96\n"
            "  net x1 [] nodes 8 macs 192 params 96\n"
            "    net.0 x1 [MatMul, Relu] nodes 2 macs 32 params 16\n"
            "    net.1 x1 [MatMul, Relu] nodes 2 macs 64 params 32\n"
            "    net.2 x1 [MatMul, Relu] nodes 2 macs 64 params 32\n"
            "    net.3 x1 [MatMul, Relu] nodes 2 macs 32 params 16\n"
            "  head x1 [Neg] nodes 1 macs 0 params 0\n");
}

TEST(Outline, WithoutADepthItIsAsDeepAsTheRowsAllow) {
  const Resolved r = resolved(blocks({4, 8, 4}));
  EXPECT_EQ(outline(r, {.rows = 100}).back().level, 1U);
  EXPECT_EQ(outline(r, {.rows = 100}).size(), 12U);  // every module and row of own nodes
  EXPECT_EQ(outline(r, {.rows = 6}).size(), 6U);     // collapsed below net.N
  EXPECT_EQ(outline(r, {.rows = 1}).size(), 3U);     // at least one level
}

TEST(Outline, AThousandSiblingsEndInARowOfTheRest) {
  std::string text = "graph main\ninput x0[4]\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("/m{0}/Relu: Relu(x{0}) -> x{1}\n", i, i + 1);
  const Resolved r = resolved(text + "output x1000");
  const auto rows = outline(r, {});
  EXPECT_EQ(rows.size(), 62U);
  EXPECT_EQ(rows.back().kind, OutlineRow::Kind::kRest);
  EXPECT_EQ(rows.back().label, "940 more");
  EXPECT_EQ(rows.back().work.nodes, 940);
  EXPECT_TRUE(rows.back().work.flops.is(940 * 4));
  EXPECT_EQ(outline(r, {.depth = 1}).size(), 1001U);  // explicit depth: no row limit
}

TEST(Outline, AModelWithoutModulesHasNone) {
  EXPECT_TRUE(outline(resolved("graph main\ninput x[4]\nRelu(x) -> y\noutput y"), {}).empty());
}

TEST(Outline, OperatorsWithMacsComeFirstThenThoseThatMoveMost) {
  const Resolved r = resolved(R"(
    graph main
      input x[4,4]
      constant w[4,4]
      Shape(x) -> s
      Relu(x) -> a
      Add(a, x) -> b
      MatMul(b, w) -> c
      Add(c, x) -> d
      Neg(d) -> y
      output y
  )");
  EXPECT_EQ(operators_text(r, std::vector<graph::NodeId>{0, 1, 2, 3, 4, 5}),
            "MatMul, Add ×2, Relu, …");
  EXPECT_EQ(operators_text(r, std::vector<graph::NodeId>{0, 1}), "Relu");
  EXPECT_EQ(operators_text(r, std::vector<graph::NodeId>{0}), "Shape");
}

}  // namespace
}  // namespace ridge::analysis
