// SPDX-License-Identifier: Apache-2.0
#include "compare/diff.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/testing.h"
#include "compare/module_diff.h"

namespace ridge::compare {
namespace {

using analysis::Resolved;
using analysis::testing::resolved;

/// One line "changed NAME_A | NAME_B | what" per node that is not the same.
std::string shown_diff(const Resolved& a, const Resolved& b) {
  std::string out;
  const auto label = [](const Resolved& r, graph::NodeId n) {
    return n == graph::kNone ? "" : fmt::format(" {}", r.model().node(n).name);
  };
  for (const NodeDiff& n : diff(a, b).nodes)
    if (n.change != Change::kSame)
      out += fmt::format("{}{} |{} | {}\n", name(n.change), label(a, n.a), label(b, n.b),
                         fmt::join(n.what, "; "));
  return out;
}

constexpr std::string_view kBefore = R"(
  graph main
    input x[2,8]
    constant w0[8,8] w1[8,8] w2[8,8]
    /l.0/fc/MatMul: MatMul(x, w0) -> a0
    /l.0/act/Relu: Relu(a0) -> b0
    /l.1/fc/MatMul: MatMul(b0, w1) -> a1
    /l.1/act/Relu: Relu(a1) -> b1
    /l.1/Add: Add(b1, b0) -> c1
    /l.2/fc/MatMul: MatMul(c1, w2) -> a2
    /l.2/act/Softmax: Softmax(a2) {axis=1} -> y
    output y
)";

std::string edited(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Diff, AModelIsTheSameAsItself) {
  const Resolved r = resolved(kBefore);
  const Diff d = diff(r, r);
  EXPECT_EQ(shown_diff(r, r), "");
  EXPECT_EQ(d.counts, (std::array<std::int64_t, kChanges>{7, 0, 0, 0, 0}));
  for (const TotalDiff& t : d.totals) EXPECT_EQ(t.a, t.b) << t.name;
}

TEST(Diff, AnAttributeThatChangedIsToldWithBothValues) {
  const Resolved b = resolved(edited(std::string(kBefore), "axis=1", "axis=0"));
  EXPECT_EQ(shown_diff(resolved(kBefore), b),
            "changed /l.2/act/Softmax | /l.2/act/Softmax | axis 1 -> 0\n");
}

TEST(Diff, ElementsOfLongListsAreComparedToTheLast) {
  const auto padded = [](int last) {
    return resolved(
        fmt::format("graph main\ninput x[1,2,4,4,2]\n"
                    "integers p[10]=0,0,0,0,0,0,0,1,1,{}\nPad(x, p) -> y\noutput y",
                    last));
  };
  EXPECT_EQ(shown_diff(padded(1), padded(1)), "");
  const Diff d = diff(padded(1), padded(2));
  ASSERT_EQ(d.nodes[0].change, Change::kChanged);
  EXPECT_EQ(d.nodes[0].what[0], "input 1 [0, 0, 0, 0, 0, 0, 0, 1, … 10 in all] -> other elements");
}

TEST(Diff, AnInsertedNodeIsAddedWhereItStands) {
  std::string text = edited(std::string(kBefore), "MatMul(b0, w1)", "MatMul(n, w1)");
  text = edited(text, "/l.1/fc/MatMul:", "/l.1/Neg: Neg(b0) -> n\n/l.1/fc/MatMul:");
  const Resolved a = resolved(kBefore), b = resolved(text);
  EXPECT_EQ(shown_diff(a, b), "added | /l.1/Neg | \n");
  EXPECT_EQ(shown_diff(b, a), "removed /l.1/Neg | | \n");
  EXPECT_EQ(diff(a, b).nodes[2].b, 2U);
}

TEST(Diff, NodesAreFoundAgainUnderOtherNames) {
  std::string text(kBefore);
  for (const char* name : {"/l.0/fc/", "/l.0/act/", "/l.1/fc/", "/l.1/act/", "/l.1/", "/l.2/fc/"})
    text = edited(text, name, "");
  text = edited(text, "Add(b1, b0) -> c1", "Add(b1, b0) -> c0\nextra: Abs(c0) -> c1");
  const Diff d = diff(resolved(kBefore), resolved(text));
  EXPECT_EQ(d.counts, (std::array<std::int64_t, kChanges>{1, 6, 0, 1, 0}));
}

TEST(Diff, NumbersThatShiftInNamesDoNotMislead) {
  // Numbered names as exporters write them: one more node at the front shifts all names.
  const auto chain = [](int extra) {
    std::string text = "graph main\ninput x[2,8]\nconstant";
    for (int i = 0; i < 8; ++i) text += fmt::format(" w{}[8,8]", i);
    std::string last = "x";
    int number = 0;
    const auto add = [&](std::string_view op, std::string_view inputs) {
      text += fmt::format("\n{0}_{1}: {0}({2}) -> t{1}", op, number, inputs);
      last = fmt::format("t{}", number++);
    };
    for (int i = 0; i < extra; ++i) add("Neg", last);
    for (int i = 0; i < 8; ++i) {
      add("MatMul", fmt::format("{}, w{}", last, i));
      add(i % 2 == 0 ? "Relu" : "Tanh", last);
    }
    return resolved(text + "\noutput " + last);
  };
  for (const int extra : {1, 2, 4}) {
    const Diff d = diff(chain(0), chain(extra));
    EXPECT_EQ(d.counts, (std::array<std::int64_t, kChanges>{0, 16, 0, extra, 0})) << extra;
    for (int i = 0; i < extra; ++i) EXPECT_EQ(d.nodes[static_cast<std::size_t>(i)].b, i);
  }
}

TEST(Diff, AnotherInputSizeChangesShapesAndPairsStay) {
  const std::string wide = edited(std::string(kBefore), "x[2,8]", "x[5,8]");
  const Resolved a = resolved(kBefore), b = resolved(wide);
  const Diff d = diff(a, b);
  EXPECT_EQ(d.counts, (std::array<std::int64_t, kChanges>{0, 0, 7, 0, 0}));
  for (const NodeDiff& n : d.nodes) EXPECT_EQ(n.a, n.b);
  EXPECT_EQ(d.nodes[0].what,
            (std::vector<std::string>{"input 0 float32 [2, 8] -> float32 [5, 8]",
                                      "output 0 float32 [2, 8] -> float32 [5, 8]"}));
}

TEST(Diff, ModulesSumBothSidesAndFollowRenamedPartners) {
  std::string text = edited(std::string(kBefore), "w1[8,8]", "w1[8,16] v1[16,8]");
  text = edited(text, "MatMul(b0, w1) -> a1",
                "MatMul(b0, w1) -> h\n/l.1/fc2/MatMul: MatMul(h, v1) -> a1");
  const Resolved a = resolved(kBefore), b = resolved(text);
  const Diff d = diff(a, b);
  std::string out;
  for (const ModuleDiff& m : d.modules) {
    const ModuleWork work = module_work(d, m, a, b);
    EXPECT_EQ(m.differs, work.work_a != work.work_b || work.nodes_a != work.nodes_b) << m.path;
    if (m.differs)
      out += fmt::format("{} {} {} -> {} nodes {} -> {}\n", m.depth, m.path,
                         *at(work.work_a, Figure::kMacs), *at(work.work_b, Figure::kMacs),
                         work.nodes_a, work.nodes_b);
  }
  EXPECT_EQ(out,
            "0  384 -> 768 nodes 7 -> 8\n1 l.1 128 -> 512 nodes 3 -> 4\n"
            "2 l.1/fc 128 -> 256 nodes 1 -> 1\n2 l.1/fc2 0 -> 256 nodes 0 -> 1\n");
}

TEST(Diff, WhatIsNotKnownHasNoDifference) {
  const Resolved a = resolved("graph main\ninput x[2]\nm: com.acme.Odd(x) -> y\noutput y");
  const Diff d = diff(a, a);
  EXPECT_EQ(d.counts[0], 1);
  EXPECT_FALSE(at(work_of(a, d.nodes[0].a), Figure::kMacs).has_value());
  EXPECT_TRUE(d.totals[1].at_least());
  EXPECT_FALSE(d.totals[1].a && d.totals[1].b);
}

}  // namespace
}  // namespace ridge::compare
