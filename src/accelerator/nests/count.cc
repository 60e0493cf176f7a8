// SPDX-License-Identifier: Apache-2.0
// Walks every place of a nest once and reports how often it is reached.
#include "accelerator/nests/points.h"

namespace ridge::accelerator {
namespace {

class Counting {
 public:
  Counting(const Nest& nest, NestHooks& hooks, const WalkLimits& limits)
      : nest_(nest), hooks_(hooks), points_(nest, limits) {}

  Result<void> walk(StmtId id, int depth) {
    TRY(points_.evaluator().step(depth));
    const Stmt& s = nest_.stmt(id);
    switch (s.kind) {
      case Stmt::Kind::kSequence:
        return all(s.children, depth);
      case Stmt::Kind::kLoop: {
        TRY(points_.push_loop(s));
        if (points_.times() > 0) hooks_.on_loop(id, visit());
        TRY(all(s.children, depth));
        points_.pop_loop();
        return {};
      }
      case Stmt::Kind::kBlock:
        return block(id, depth);
      case Stmt::Kind::kStore:
        return store(s, depth);
      case Stmt::Kind::kIf:
        return branch(s, depth);
      case Stmt::Kind::kNone:
        return {};
    }
    return {};
  }

 private:
  Visit visit() const {
    return {.block = block_, .times = points_.times(), .at_most = points_.at_most()};
  }

  Result<void> all(const std::vector<StmtId>& statements, int depth) {
    for (const StmtId child : statements) TRY(walk(child, depth + 1));
    return {};
  }

  Result<void> block(StmtId id, int depth) {
    const Stmt& s = nest_.stmt(id);
    const StmtId around = block_;
    TRY(points_.push_iterators(s));
    block_ = id;
    TRY(when(s.condition, true, [&]() -> Result<void> {
      hooks_.on_block(visit());
      for (const BufferId b : s.allocations) hooks_.on_allocation(b, visit());
      if (s.initial != kNothing)
        TRY(when(s.initial_when, true, [&] { return walk(s.initial, depth + 1); }));
      return all(s.children, depth);
    }));
    block_ = around;
    points_.pop_iterators(s);
    return {};
  }

  Result<void> branch(const Stmt& s, int depth) {
    TRY(reads(s.condition, depth + 1));
    TRY(when(s.condition, true, [&] { return walk(s.children[0], depth + 1); }));
    if (s.children.size() < 2) return {};
    return when(s.condition, false, [&] { return walk(s.children[1], depth + 1); });
  }

  template <typename Action>
  Result<void> when(ExprId condition, bool expected, Action action) {
    TRY(points_.push_condition(condition, expected));
    if (points_.times() > 0) TRY(action());
    points_.pop_condition();
    return {};
  }

  Result<void> store(const Stmt& s, int depth) {
    if (points_.times() == 0) return {};
    for (const ExprId index : s.indices) TRY(reads(index, depth + 1));
    TRY(reads(s.value, depth + 1));
    hooks_.on_write(s.buffer, visit());
    const Operation what = nest_.operation(s);
    if (what != Operation::kNone) hooks_.on_operation(what, visit());
    return {};
  }

  Result<void> reads(ExprId id, int depth) {
    const Expr& e = nest_.expr(id);
    if (e.integral) return {};
    TRY(points_.evaluator().step(depth));
    const auto operands = nest_.operands(e);
    if (e.kind == Expr::Kind::kIfElse) {
      TRY(reads(operands[0], depth + 1));
      TRY(when(operands[0], true, [&] { return reads(operands[1], depth + 1); }));
      return when(operands[0], false, [&] { return reads(operands[2], depth + 1); });
    }
    for (const ExprId operand : operands) TRY(reads(operand, depth + 1));
    if (e.kind == Expr::Kind::kLoad) hooks_.on_read(static_cast<BufferId>(e.value), visit());
    return {};
  }

  const Nest& nest_;
  NestHooks& hooks_;
  Points points_;
  StmtId block_ = kNothing;
};

}  // namespace

Result<void> count(const Nest& nest, NestHooks& hooks, const WalkLimits& limits) {
  return Counting(nest, hooks, limits).walk(nest.root, 0);
}

}  // namespace ridge::accelerator
