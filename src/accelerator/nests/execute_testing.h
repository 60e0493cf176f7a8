// SPDX-License-Identifier: Apache-2.0
// Walks every iteration of a nest, one call to the hooks per event: the oracle of count(), for small
// shapes.
//
//   TRY(execute(nest, reads));
//
// Evaluates every index and checks it against the buffer's shape. Errors: as
// of count(), and an index out of bounds. Thread rule: pure apart from the hooks.
#pragma once

#include <fmt/format.h>

#include "accelerator/nests/evaluate.h"
#include "base/checked.h"

namespace ridge::accelerator::testing {

class Execution {
 public:
  Execution(const Nest& nest, NestHooks& hooks, const WalkLimits& limits)
      : nest_(nest), hooks_(hooks), now_(nest, limits) {}

  Result<void> walk(StmtId id, int depth) {
    TRY(now_.step(depth));
    const Stmt& s = nest_.stmt(id);
    switch (s.kind) {
      case Stmt::Kind::kSequence:
        for (const StmtId child : s.children) TRY(walk(child, depth + 1));
        return {};
      case Stmt::Kind::kLoop:
        return loop(id, depth);
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
  Visit visit(std::int64_t element = -1) const {
    return {.block = block_, .at_most = unknown_ > 0, .element = element};
  }

  Result<void> loop(StmtId id, int depth) {
    const Stmt& s = nest_.stmt(id);
    TRY(now_.enter(s.variable));
    for (std::int64_t i = 0; i < s.extent; ++i) {
      now_.set(s.variable, s.begin + i);
      hooks_.on_loop(id, visit());
      for (const StmtId child : s.children) TRY(walk(child, depth + 1));
    }
    now_.leave(s.variable);
    return {};
  }

  Result<void> block(StmtId id, int depth) {
    const Stmt& s = nest_.stmt(id);
    for (const BlockIterator& i : s.iterators) {
      const std::int64_t value = TRY(now_.value(i.value));
      TRY(now_.enter(i.variable));
      now_.set(i.variable, value);
    }
    const StmtId around = block_;
    block_ = id;
    const auto inside = [&]() -> Result<void> {
      hooks_.on_block(visit());
      for (const BufferId b : s.allocations) hooks_.on_allocation(b, visit());
      if (s.initial != kNothing)
        TRY(when(s.initial_when, true, [&] { return walk(s.initial, depth + 1); }));
      for (const StmtId child : s.children) TRY(walk(child, depth + 1));
      return {};
    };
    TRY(when(s.condition, true, inside));
    block_ = around;
    for (const BlockIterator& i : s.iterators) now_.leave(i.variable);
    return {};
  }

  Result<void> branch(const Stmt& s, int depth) {
    TRY(reads(s.condition, depth + 1));
    TRY(when(s.condition, true, [&] { return walk(s.children[0], depth + 1); }));
    if (s.children.size() < 2) return {};
    return when(s.condition, false, [&] { return walk(s.children[1], depth + 1); });
  }

  /// Runs `action` if the condition is, or may be, `expected`.
  template <typename Action>
  Result<void> when(ExprId condition, bool expected, Action action) {
    if (condition == kNothing) return action();
    const Truth truth = TRY(now_.truth(condition));
    if (truth == !expected) return {};
    unknown_ += !truth;
    TRY(action());
    unknown_ -= !truth;
    return {};
  }

  Result<void> store(const Stmt& s, int depth) {
    for (const ExprId index : s.indices) TRY(reads(index, depth + 1));
    TRY(reads(s.value, depth + 1));
    const std::int64_t element = TRY(element_of(s.buffer, s.indices));
    hooks_.on_write(s.buffer, visit(element));
    const Operation what = nest_.operation(s);
    if (what != Operation::kNone) hooks_.on_operation(what, visit());
    return {};
  }

  Result<void> reads(ExprId id, int depth) {
    const Expr& e = nest_.expr(id);
    if (e.integral) return {};
    TRY(now_.step(depth));
    const auto operands = nest_.operands(e);
    if (e.kind == Expr::Kind::kIfElse) {
      TRY(reads(operands[0], depth + 1));
      TRY(when(operands[0], true, [&] { return reads(operands[1], depth + 1); }));
      return when(operands[0], false, [&] { return reads(operands[2], depth + 1); });
    }
    for (const ExprId operand : operands) TRY(reads(operand, depth + 1));
    if (e.kind != Expr::Kind::kLoad) return {};
    const auto buffer = static_cast<BufferId>(e.value);
    hooks_.on_read(buffer, visit(TRY(element_of(buffer, operands))));
    return {};
  }

  Result<std::int64_t> element_of(BufferId id, std::span<const ExprId> indices) {
    const Buffer& buffer = nest_.buffer(id);
    if (indices.size() != buffer.shape.size())
      return input_error(
          "TEST-0001", fmt::format("buffer '{}' has {} dimensions and is accessed with {} indices",
                                   buffer.name, buffer.shape.size(), indices.size()));
    std::int64_t element = 0;
    bool known = true;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (!nest_.expr(indices[i]).integral) {
        known = false;
        continue;
      }
      const std::int64_t index = TRY(now_.value(indices[i]));
      if (index < 0 || index >= buffer.shape[i])
        return input_error("TEST-0002",
                           fmt::format("index {} of buffer '{}' is {}, out of range for size {}", i,
                                       buffer.name, index, buffer.shape[i]));
      const auto row = checked_mul(element, buffer.shape[i]);
      const auto sum = row ? checked_add(*row, index) : std::nullopt;
      if (!sum) return out_of_range();
      element = *sum;
    }
    return known ? element : -1;
  }

  const Nest& nest_;
  NestHooks& hooks_;
  Evaluator now_;
  StmtId block_ = kNothing;
  int unknown_ = 0;  ///< enclosing conditions that depend on the data
};

inline Result<void> execute(const Nest& nest, NestHooks& hooks, const WalkLimits& limits = {}) {
  return Execution(nest, hooks, limits).walk(nest.root, 0);
}

}  // namespace ridge::accelerator::testing
