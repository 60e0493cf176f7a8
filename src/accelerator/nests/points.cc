// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/points.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

void add_sorted(std::vector<std::size_t>& set, std::size_t member) {
  const auto at = std::lower_bound(set.begin(), set.end(), member);
  if (at == set.end() || *at != member) set.insert(at, member);
}

bool disjoint(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  return std::none_of(a.begin(), a.end(), [&](std::size_t member) {
    return std::binary_search(b.begin(), b.end(), member);
  });
}

}  // namespace

Result<void> Points::push_loop(const Stmt& loop) {
  TRY(now_.enter(loop.variable));
  loops_.push_back({loop.variable, loop.begin, loop.extent});
  State next = states_.empty() ? State() : states_.back();
  if (!multiply(next.points, {loop.extent, loop.extent})) return out_of_range();
  states_.push_back(next);
  return {};
}

void Points::pop_loop() {
  now_.leave(loops_.back().variable);
  loops_.pop_back();
  states_.pop_back();
}

Result<void> Points::push_iterators(const Stmt& block) {
  for (const BlockIterator& i : block.iterators) {
    Iterator iterator{i.variable, i.value, {}};
    TRY(find_loops(i.value, false, iterator.loops, 0));
    TRY(now_.enter(i.variable));
    iterators_.push_back(std::move(iterator));
  }
  return {};
}

void Points::pop_iterators(const Stmt& block) {
  for (const BlockIterator& i : block.iterators) now_.leave(i.variable);
  iterators_.resize(iterators_.size() - block.iterators.size());
}

Result<void> Points::push_condition(ExprId condition, bool expected) {
  State next = states_.empty() ? State() : states_.back();
  next.terms = terms_.size();
  states_.push_back(next);
  if (condition == kNothing) return {};
  TRY(split(condition, expected, 0));
  return refresh();
}

void Points::pop_condition() {
  const std::size_t before = states_.back().terms;
  terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(before), terms_.end());
  states_.pop_back();
}

/// Splits a condition into terms. By Kleene's rules an "and" is not false exactly if no operand is
/// false, and an "or" is not true exactly if no operand is true.
Result<void> Points::split(ExprId condition, bool expected, int depth) {
  TRY(now_.step(depth));
  const Expr& e = nest_.expr(condition);
  if (e.kind == Kind::kNot) return split(nest_.operands(e)[0], !expected, depth + 1);
  if (e.kind == (expected ? Kind::kAnd : Kind::kOr)) {
    for (const ExprId operand : nest_.operands(e)) TRY(split(operand, expected, depth + 1));
    return {};
  }
  return add_term(condition, expected, depth + 1);
}

/// Adds a term only once, because conditions may repeat their parts many times.
Result<void> Points::add_term(ExprId condition, bool expected, int depth) {
  for (const Term& known : terms_) {
    TRY(now_.step(depth));
    if (known.condition == condition && known.expected == expected) return {};
  }
  Term term{condition, expected, {}};
  TRY(find_loops(condition, true, term.loops, depth));
  terms_.push_back(std::move(term));
  return {};
}

/// Adds the loops that an expression depends on. `logic`: it is a condition; parts of it that
/// depend on the data are skipped.
Result<void> Points::find_loops(ExprId id, bool logic, std::vector<std::size_t>& out, int depth) {
  TRY(now_.step(depth));
  const Expr& e = nest_.expr(id);
  logic = logic && (e.kind == Kind::kAnd || e.kind == Kind::kOr || e.kind == Kind::kNot);
  if (!e.integral && !logic) return {};
  if (e.kind != Kind::kVariable) {
    for (const ExprId operand : nest_.operands(e)) TRY(find_loops(operand, logic, out, depth + 1));
    return {};
  }
  const auto variable = static_cast<VarId>(e.value);
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (loops_[i].variable == variable) return add_sorted(out, i), Result<void>();
  for (const Iterator& i : iterators_) {
    if (i.variable != variable) continue;
    for (const std::size_t loop : i.loops) add_sorted(out, loop);
    return {};
  }
  return input_error("RIDGE-ACC-0308",
                     fmt::format("variable '{}' of the loop nest is not bound by a loop",
                                 nest_.variable_name(variable)));
}

Result<std::vector<Points::Component>> Points::components() {
  std::vector<Component> all;
  // Example: terms with the loops {i}, {j} and {i, j}: the first two are components of their own
  // until the third joins them. Components share no loop, so loops that join on the way cannot meet
  // a component that was found disjoint before.
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    for (const Component& c : all)
      for (std::size_t i = 0; i <= c.terms.size(); ++i) TRY(now_.step(0));
    Component joined{terms_[t].loops, {}};
    std::erase_if(all, [&](const Component& c) {
      if (disjoint(c.loops, joined.loops)) return false;
      for (const std::size_t loop : c.loops) add_sorted(joined.loops, loop);
      joined.terms.insert(joined.terms.end(), c.terms.begin(), c.terms.end());
      return true;
    });
    joined.terms.push_back(t);
    all.push_back(std::move(joined));
  }
  return all;
}

/// Tests the current point: each count is 1 or 0.
Result<Points::Found> Points::holds_here(const Component& component) {
  for (const Iterator& i : iterators_) {
    TRY(now_.step(0));
    const bool inside = std::includes(component.loops.begin(), component.loops.end(),
                                      i.loops.begin(), i.loops.end());
    if (inside) now_.set(i.variable, TRY(now_.value(i.value)));
  }
  Found out;
  for (const std::size_t t : component.terms) {
    const Truth truth = TRY(now_.truth(terms_[t].condition));
    if (truth == !terms_[t].expected) return Found{0, 0};
    if (!truth) out.sure = 0;
  }
  return out;
}

Result<Points::Found> Points::points_of(const Component& component) {
  for (const std::size_t loop : component.loops) {
    if (loops_[loop].extent <= 0) return Found{0, 0};
    now_.set(loops_[loop].variable, loops_[loop].begin);
  }
  // Counts like an odometer: the last loop turns fastest, and a loop that is back at its beginning
  // turns the one before it. With extents 2 and 3 the first loop turns at the fourth point.
  std::vector<std::int64_t> at(component.loops.size(), 0);
  Found sum{0, 0};
  for (;;) {
    TRY(now_.step(0));
    const Found here = TRY(holds_here(component));
    sum.possible += here.possible;
    sum.sure += here.sure;
    std::size_t digit = at.size();
    while (digit > 0) {
      const Loop& loop = loops_[component.loops[digit - 1]];
      at[digit - 1] = (at[digit - 1] + 1) % loop.extent;
      now_.set(loop.variable, loop.begin + at[digit - 1]);
      if (at[digit - 1] != 0) break;
      --digit;
    }
    if (digit == 0) return sum;
  }
}

bool Points::multiply(Found& by, const Found& factor) {
  const auto possible = checked_mul(by.possible, factor.possible);
  const auto sure = checked_mul(by.sure, factor.sure);
  if (!possible || !sure) return false;
  by = {*possible, *sure};
  return true;
}

// Example: for i in [0, 4), j in [0, 4), c in [0, 64), under i + j >= 3 and i > 0. Both terms use
// i, so they form one component with the loops i and j. Of its 16 points 9 satisfy both terms; no
// condition mentions c, so points = 9 * 64 = 576. A further term that depends on loaded data only
// would keep `possible` at 576 and set `sure` to 0.
Result<void> Points::refresh() {
  Found points;
  std::vector<bool> counted(loops_.size());
  for (const Component& component : TRY(components())) {
    if (!multiply(points, TRY(points_of(component)))) return out_of_range();
    for (const std::size_t loop : component.loops) counted[loop] = true;
  }
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (!counted[i] && !multiply(points, {loops_[i].extent, loops_[i].extent}))
      return out_of_range();
  states_.back().points = points;
  return {};
}

}  // namespace ridge::accelerator
