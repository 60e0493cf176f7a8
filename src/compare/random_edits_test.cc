// SPDX-License-Identifier: Apache-2.0
// Random edits of a random network; the list of edits is the oracle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/testing.h"
#include "compare/diff.h"

namespace ridge::compare {
namespace {

struct Line {
  std::string name, op;
  bool second = false;     ///< has an earlier value as second input
  std::uint32_t back = 0;  ///< distance of that value
  int axis = -1;           ///< axis of a Softmax
  int origin = -1;         ///< line number in the first model; -1: added
};

enum class Names { kKept, kNone, kNumbered };

/// Model text: all values are [4,8]; line i reads value i (0 is the input) and writes value i + 1.
std::string text(const std::vector<Line>& lines, Names names) {
  std::string weights = "constant", nodes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& l = lines[i];
    std::string inputs = fmt::format("v{}", i);
    if (l.op == "MatMul") {
      inputs += fmt::format(", w{}", i);
      weights += fmt::format(" w{}[8,8]", i);
    }
    if (l.second) inputs += fmt::format(", v{}", i - std::min<std::size_t>(i, l.back));
    const std::string name = names == Names::kKept       ? l.name + ": "
                             : names == Names::kNumbered ? fmt::format("{}_{}: ", l.op, i)
                                                         : "";
    nodes += fmt::format("{}{}({}) {}-> v{}\n", name, l.op, inputs,
                         l.axis < 0 ? "" : fmt::format("{{axis={}}} ", l.axis), i + 1);
  }
  return fmt::format("graph main\ninput v0[4,8]\n{}\n{}output v{}", weights, nodes, lines.size());
}

Line random_line(std::mt19937& random, int number) {
  constexpr const char* kOps[] = {"MatMul", "Relu",   "Add", "Softmax",
                                  "Tanh",   "MatMul", "Mul", "Neg"};
  Line l{.name = fmt::format("n{}", number), .op = kOps[random() % 8], .origin = number};
  l.second = l.op == "Add" || l.op == "Mul";
  l.back = static_cast<std::uint32_t>(1 + random() % 5);
  if (l.op == "Softmax") l.axis = 1;
  return l;
}

struct Edits {
  std::int64_t added = 0, removed = 0, changed = 0;
};

Edits edit(std::vector<Line>& lines, std::mt19937& random, int count) {
  Edits done;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(random() % lines.size());
    Line& l = lines[static_cast<std::size_t>(at)];
    if (random() % 3 == 0) {
      lines.insert(lines.begin() + at, {.name = fmt::format("new{}", i), .op = "Abs"});
      ++done.added;
    } else if (l.op == "Softmax" && l.axis == 1) {
      l.axis = 0;
      ++done.changed;
    } else if (l.origin >= 0 && (l.op == "Relu" || l.op == "Tanh" || l.op == "Neg")) {
      lines.erase(lines.begin() + at);
      ++done.removed;
    }
  }
  return done;
}

void expect_sums(const Diff& d, const analysis::Resolved& a, const analysis::Resolved& b) {
  std::array<std::int64_t, kFigures> sum{};
  for (const NodeDiff& n : d.nodes) {
    const Figures change = change_of(n, a, b);
    for (std::size_t i = 0; i < kFigures; ++i) sum[i] += *at(change, static_cast<Figure>(i));
  }
  for (const TotalDiff& t : d.totals)
    for (std::size_t i = 0; i < kFigures; ++i)
      if (t.name == kFigureNames[i]) {
        EXPECT_EQ(sum[i], *t.b - *t.a) << t.name;
      }
}

class RandomEdits : public ::testing::TestWithParam<Names> {};

TEST_P(RandomEdits, AreFoundAndHardlyMore) {
  std::mt19937 random(7);
  constexpr int kRounds = 60;
  int exact = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Line> lines;
    for (int i = 0; i < 80; ++i) lines.push_back(random_line(random, i));
    const auto a = analysis::testing::resolved(text(lines, GetParam()));
    const Edits edits = edit(lines, random, 1 + static_cast<int>(random() % 12));
    const auto b = analysis::testing::resolved(text(lines, GetParam()));
    const Diff d = diff(a, b);
    const auto count = [&](Change c) { return d.counts[static_cast<std::size_t>(c)]; };
    SCOPED_TRACE(fmt::format("round {}: {} added, {} removed, {} changed", round, edits.added,
                             edits.removed, edits.changed));
    expect_sums(d, a, b);
    const std::int64_t found =
        count(Change::kAdded) + count(Change::kRemoved) + count(Change::kChanged);
    const std::int64_t excess = found - edits.added - edits.removed - edits.changed;
    EXPECT_EQ(count(Change::kAdded) - count(Change::kRemoved), edits.added - edits.removed);
    EXPECT_GE(excess, 0);
    EXPECT_LE(excess, 2);
    exact += excess == 0 ? 1 : 0;
    if (GetParam() != Names::kKept) continue;
    EXPECT_EQ(excess, 0);
    for (const NodeDiff& n : d.nodes)
      if (n.a != graph::kNone && n.b != graph::kNone) {
        EXPECT_EQ(static_cast<std::uint32_t>(lines[n.b].origin), n.a);
      }
  }
  // Without names, an exact key may occasionally be used up by another pair.
  EXPECT_GE(exact, kRounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Diff, RandomEdits,
                         ::testing::Values(Names::kKept, Names::kNone, Names::kNumbered));

}  // namespace
}  // namespace ridge::compare
