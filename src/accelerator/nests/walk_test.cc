// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/walk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "accelerator/nests/builder.h"
#include "accelerator/nests/testing.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;
using testing::execute;
using testing::told_by;

/// Generates nests of random loops, blocks, conditions and loads, with indices within bounds.
class RandomNest {
 public:
  explicit RandomNest(unsigned seed) : random_(seed) {
    for (const char* name : {"a", "b"}) nest_.add_buffer({.name = name, .shape = {kSize}});
    Stmt root;
    root.kind = Stmt::Kind::kBlock;
    root.allocations = {1};
    root.children = {statement(4)};
    nest_.root = nest_.add(std::move(root));
  }
  const Nest& nest() const { return nest_; }

 private:
  static constexpr std::int64_t kSize = 7;

  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  ExprId integer(int depth) {
    if (depth == 0 || scope_.empty() || pick(3) == 0)
      return scope_.empty() || pick(3) == 0
                 ? nest_.integer(pick(7) - 2)
                 : nest_.variable(scope_[static_cast<std::size_t>(pick(int(scope_.size())))]);
    constexpr std::array kinds = {Kind::kAdd,     Kind::kSubtract,    Kind::kMultiply,
                                  Kind::kMinimum, Kind::kMaximum,     Kind::kFloorDivide,
                                  Kind::kAdd,     Kind::kFloorModulo, Kind::kIfElse};
    const Kind kind = kinds[static_cast<std::size_t>(pick(int(kinds.size())))];
    if (kind == Kind::kIfElse)
      return nest_.make(kind, std::array{condition(1, false), integer(0), integer(0)});
    const bool divides = kind == Kind::kFloorDivide || kind == Kind::kFloorModulo;
    return nest_.make(kind, std::array{integer(depth - 1),
                                       divides ? nest_.integer(1 + pick(3)) : integer(depth - 1)});
  }

  ExprId index() {
    return nest_.make(Kind::kFloorModulo, std::array{integer(2), nest_.integer(kSize)});
  }
  ExprId load() { return nest_.load(static_cast<BufferId>(pick(2)), std::array{index()}); }

  ExprId condition(int depth, bool data) {
    if (depth > 0 && pick(2) == 0) {
      const Kind kind = std::array{Kind::kAnd, Kind::kOr, Kind::kNot}[std::size_t(pick(3))];
      if (kind == Kind::kNot) return nest_.make(kind, std::array{condition(depth - 1, data)});
      return nest_.make(kind, std::array{condition(depth - 1, data), condition(depth - 1, data)});
    }
    constexpr std::array kinds = {Kind::kLess, Kind::kLessOrEqual, Kind::kEqual, Kind::kNotEqual};
    const ExprId left = data && pick(4) == 0 ? load() : integer(2);
    return nest_.make(kinds[std::size_t(pick(4))], std::array{left, integer(1)});
  }

  ExprId value(int depth) {
    if (depth == 0 || pick(3) == 0) return load();
    if (pick(3) == 0)
      return nest_.make(Kind::kIfElse,
                        std::array{condition(2, true), value(depth - 1), value(depth - 1)});
    return nest_.make(pick(2) == 0 ? Kind::kAdd : Kind::kMultiply,
                      std::array{value(depth - 1), value(depth - 1)});
  }

  StmtId store() {
    Stmt s;
    s.kind = Stmt::Kind::kStore;
    s.buffer = static_cast<BufferId>(pick(2));
    s.indices = {index()};
    s.value = value(2);
    if (pick(2) == 0)
      s.value = nest_.make(Kind::kAdd,
                           std::array{nest_.load(s.buffer, s.indices),
                                      nest_.make(Kind::kMultiply, std::array{load(), load()})});
    return nest_.add(std::move(s));
  }

  StmtId statement(int depth) {
    if (depth == 0) return store();
    Stmt s;
    switch (pick(5)) {
      case 0:
        s.kind = Stmt::Kind::kSequence;
        s.children = {statement(depth - 1), statement(depth - 1)};
        break;
      case 1:
        return block(depth);
      case 2:
        s.kind = Stmt::Kind::kIf;
        s.condition = condition(2, true);
        s.children = {statement(depth - 1)};
        if (pick(2) == 0) s.children.push_back(statement(depth - 1));
        break;
      default:
        s.kind = Stmt::Kind::kLoop;
        s.variable = nest_.add_variable(fmt::format("i{}", nest_.variables()));
        s.begin = pick(3) - 1;
        s.extent = 1 + pick(4);
        scope_.push_back(s.variable);
        s.children = {statement(depth - 1)};
        scope_.pop_back();
    }
    return nest_.add(std::move(s));
  }

  StmtId block(int depth) {
    Stmt s;
    s.kind = Stmt::Kind::kBlock;
    const std::size_t before = scope_.size();
    for (int i = pick(3); i > 0; --i) {
      BlockIterator iterator;
      iterator.value = integer(2);
      iterator.variable = nest_.add_variable("v");
      s.iterators.push_back(iterator);
    }
    for (const BlockIterator& i : s.iterators) scope_.push_back(i.variable);
    if (pick(2) == 0) s.condition = condition(1, false);
    if (pick(2) == 0) {
      s.initial = store();
      s.initial_when = condition(1, false);
    }
    s.allocations = {0};
    s.children = {statement(depth - 1)};
    scope_.resize(before);
    return nest_.add(std::move(s));
  }

  std::mt19937 random_;
  Nest nest_;
  std::vector<VarId> scope_;
};

TEST(NestWalk, CountsWhatExecutionMeetsInRandomNests) {
  int events = 0;
  for (unsigned seed = 0; seed < 4'000; ++seed) {
    const RandomNest random(seed);
    const std::string executed = told_by(execute, random.nest());
    ASSERT_EQ(told_by(count, random.nest()), executed) << "seed " << seed;
    events += executed.size() > 40;
  }
  EXPECT_GT(events, 2'000);
}

/// for i in 8: for j in 6: if i + j < 4 and not i == 2: y[i] = y[i] + x[i, j] * x[i, j]
TEST(NestWalk, TellsEveryHookHowOften) {
  Nest nest;
  const BufferId x = nest.add_buffer({.name = "x", .shape = {8, 6}});
  const BufferId y = nest.add_buffer({.name = "y", .shape = {8}});
  const VarId i = nest.add_variable("i"), j = nest.add_variable("j");
  const std::array at = {nest.variable(i), nest.variable(j)};
  const ExprId element = nest.load(x, at);
  Stmt store;
  store.kind = Stmt::Kind::kStore;
  store.buffer = y;
  store.indices = {at[0]};
  store.value = nest.combine(Kind::kAdd, nest.load(y, std::array{at[0]}),
                             nest.combine(Kind::kMultiply, element, element));
  Stmt branch;
  branch.kind = Stmt::Kind::kIf;
  branch.condition = nest.make(
      Kind::kAnd,
      std::array{
          nest.combine(Kind::kLess, nest.combine(Kind::kAdd, at[0], at[1]), nest.integer(4)),
          nest.make(Kind::kNot, std::array{nest.combine(Kind::kEqual, at[0], nest.integer(2))})});
  branch.children = {nest.add(std::move(store))};
  Stmt inner;
  inner.kind = Stmt::Kind::kLoop;
  inner.variable = j;
  inner.extent = 6;
  inner.children = {nest.add(std::move(branch))};
  Stmt outer = inner;
  outer.variable = i;
  outer.extent = 8;
  outer.children = {nest.add(std::move(inner))};
  nest.root = nest.add(std::move(outer));
  // Numbers of j: 4 for i = 0, 3 for i = 1, 1 for i = 3.
  const char* expected =
      "loop 2: 48\nloop 3: 8\noperation 2: 8\nread x: 16\nread y: 8\nwrite y: 8\n";
  EXPECT_EQ(told_by(execute, nest), expected);
  EXPECT_EQ(told_by(count, nest), expected);
}

std::string walk_error(const Nest& nest, const WalkLimits& limits = {}) {
  NestHooks none;
  std::string out;
  for (const auto walk : {execute, count}) {
    const Result<void> r = walk(nest, none, limits);
    out += r.ok() ? "fine\n" : r.error().text();
  }
  return out;
}

Nest looped(std::int64_t extent, std::int64_t shift) {
  Nest nest;
  const BufferId x = nest.add_buffer({.name = "x", .shape = {4}});
  Stmt loop;
  loop.kind = Stmt::Kind::kLoop;
  loop.variable = nest.add_variable("i");
  loop.extent = extent;
  Stmt store;
  store.kind = Stmt::Kind::kStore;
  store.buffer = x;
  store.indices = {nest.combine(Kind::kAdd, nest.variable(loop.variable), nest.integer(shift))};
  store.value = nest.integer(0);
  loop.children = {nest.add(std::move(store))};
  nest.root = nest.add(std::move(loop));
  return nest;
}

TEST(NestWalk, ExecutionFindsAnIndexOutOfBounds) {
  EXPECT_EQ(walk_error(looped(4, 0)), "fine\nfine\n");
  EXPECT_EQ(walk_error(looped(4, 1)),
            "error: index 0 of buffer 'x' is 4, out of range for size 4\n  [TEST-0002]\nfine\n");
}

TEST(NestWalk, TakesARemainderAtTheEdgeOf64Bits) {
  // -2^63 = 3 x -3074457345618258603 + 1
  Nest nest = looped(1, 0);
  Stmt store;
  store.kind = Stmt::Kind::kStore;
  store.buffer = 0;
  store.indices = {nest.combine(Kind::kFloorModulo, nest.integer(INT64_MIN), nest.integer(3))};
  store.value = nest.integer(0);
  nest.root = nest.add(std::move(store));
  class Element : public NestHooks {
   public:
    std::int64_t at = -1;
    void on_write(BufferId, const Visit& v) override { at = v.element; }
  } element;
  ASSERT_TRUE(execute(nest, element).ok());
  EXPECT_EQ(element.at, 1);
}

TEST(NestWalk, ConditionsThatShareTheirPartsEndAtTheLimits) {
  // `a and a`, nested 40 times: 2^40 operands as a tree, but a single distinct term.
  Nest nest = looped(4, 0);
  Stmt branch;
  branch.kind = Stmt::Kind::kIf;
  const VarId i = nest.stmt(nest.root).variable;
  branch.condition = nest.combine(Kind::kLess, nest.variable(i), nest.integer(2));
  for (int n = 0; n < 40; ++n)
    branch.condition = nest.make(Kind::kAnd, std::array{branch.condition, branch.condition});
  Stmt loop = nest.stmt(nest.root);
  branch.children = loop.children;
  loop.children = {nest.add(std::move(branch))};
  nest.root = nest.add(std::move(loop));
  EXPECT_EQ(walk_error(nest, {.steps = 10'000}),
            "error: evaluating the loop nest takes more than 10000 steps\n  [RIDGE-ACC-0303]\n"
            "error: evaluating the loop nest takes more than 10000 steps\n  [RIDGE-ACC-0303]\n");
}

TEST(NestWalk, EndsAtItsLimits) {
  EXPECT_EQ(walk_error(looped(4, 0), {.steps = 8}),
            "error: evaluating the loop nest takes more than 8 steps\n  [RIDGE-ACC-0303]\nfine\n");
  const RandomNest random(7);
  EXPECT_NE(walk_error(random.nest(), {.steps = 2}).find("RIDGE-ACC-0303"), std::string::npos);
  EXPECT_NE(walk_error(random.nest(), {.depth = 1}).find("RIDGE-ACC-0302"), std::string::npos);
}

TEST(NestWalk, RefusesAStatementWithinItself) {
  Nest nest;
  Stmt loop;
  loop.kind = Stmt::Kind::kLoop;
  loop.variable = nest.add_variable("i");
  loop.extent = 2;
  loop.children = {0};
  nest.root = nest.add(std::move(loop));
  EXPECT_EQ(walk_error(nest),
            "error: variable #0 of the loop nest is defined inside its own scope\n"
            "  [RIDGE-ACC-0304]\n"
            "error: variable #0 of the loop nest is defined inside its own scope\n"
            "  [RIDGE-ACC-0304]\n");
}

TEST(NestWalk, WalksBothSidesOfWhatTheDataDecide) {
  Nest nest;
  const BufferId x = nest.add_buffer({.name = "x", .shape = {4}});
  const ExprId first = nest.load(x, std::array{nest.integer(0)});
  Stmt store;
  store.kind = Stmt::Kind::kStore;
  store.buffer = x;
  store.indices = {nest.integer(1)};
  store.value =
      nest.make(Kind::kIfElse, std::array{nest.combine(Kind::kLess, first, nest.integer(0)),
                                          nest.load(x, std::array{nest.integer(2)}),
                                          nest.load(x, std::array{nest.integer(3)})});
  nest.root = nest.add(std::move(store));
  const char* expected = "read x: at most 3\nwrite x: 1\n";
  EXPECT_EQ(told_by(execute, nest), expected);
  EXPECT_EQ(told_by(count, nest), expected);
}

}  // namespace
}  // namespace ridge::accelerator
