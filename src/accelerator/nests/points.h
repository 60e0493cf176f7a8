// SPDX-License-Identifier: Apache-2.0
// Counts the points of the enclosing loops that satisfy the enclosing conditions. Private to
// count().
//
// Conditions are split at their ands. Those that share a loop variable form a component, and only
// the points of its own variables are enumerated. The total is the product over the components and
// over the loops that no condition mentions.
// Thread rule: one thread. Cost: the points of each component, within the walk's limits.
#pragma once

#include <cstdint>
#include <vector>

#include "accelerator/nests/evaluate.h"

namespace ridge::accelerator {

class Points {
 public:
  Points(const Nest& nest, const WalkLimits& limits) : nest_(nest), now_(nest, limits) {}

  Evaluator& evaluator() { return now_; }
  std::int64_t times() const { return states_.empty() ? 1 : states_.back().points.possible; }
  bool at_most() const {
    return !states_.empty() && states_.back().points.sure < states_.back().points.possible;
  }

  /// Elements are popped in reverse order of pushing.
  Result<void> push_loop(const Stmt& loop);
  void pop_loop();
  Result<void> push_iterators(const Stmt& block);
  void pop_iterators(const Stmt& block);
  Result<void> push_condition(ExprId condition, bool expected);
  void pop_condition();

 private:
  struct Loop {
    VarId variable;
    std::int64_t begin, extent;
  };
  /// Condition that must not evaluate to the opposite of `expected`, and the loops it depends on.
  struct Term {
    ExprId condition;
    bool expected;
    std::vector<std::size_t> loops;
  };
  struct Iterator {
    VarId variable;
    ExprId value;
    std::vector<std::size_t> loops;
  };
  /// Points of a component or of all loops: where the conditions may hold, and where they certainly
  /// do.
  struct Found {
    std::int64_t possible = 1, sure = 1;
  };
  struct State {
    Found points;
    std::size_t terms = 0;
  };
  struct Component {
    std::vector<std::size_t> loops;
    std::vector<std::size_t> terms;
  };

  Result<void> add_term(ExprId condition, bool expected, int depth);
  Result<void> split(ExprId condition, bool expected, int depth);
  Result<void> find_loops(ExprId id, bool logic, std::vector<std::size_t>& out, int depth);
  Result<std::vector<Component>> components();
  Result<Found> points_of(const Component& component);
  Result<Found> holds_here(const Component& component);
  static bool multiply(Found& by, const Found& factor);
  Result<void> refresh();

  const Nest& nest_;
  Evaluator now_;
  std::vector<Loop> loops_;
  std::vector<Iterator> iterators_;
  std::vector<Term> terms_;
  std::vector<State> states_;
};

}  // namespace ridge::accelerator
