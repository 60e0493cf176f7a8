// SPDX-License-Identifier: Apache-2.0
// Evaluates a nest's expressions for given values of its variables. Private to the walkers.
//
// Thread rule: one thread. Cost: linear in the expression expanded to a tree, within the limits of
// the walk. Errors: as in walk.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerator/nests/walk.h"

namespace ridge::accelerator {

/// nullopt: depends on the data.
using Truth = std::optional<bool>;

class Evaluator {
 public:
  Evaluator(const Nest& nest, const WalkLimits& limits);

  /// Counts one step at nesting `depth`; an error beyond the limits.
  Result<void> step(int depth);

  /// Error if the variable is already in scope.
  Result<void> enter(VarId variable);
  void leave(VarId variable) { in_scope_[variable] = false; }
  bool in_scope(VarId variable) const { return variable < in_scope_.size() && in_scope_[variable]; }
  void set(VarId variable, std::int64_t value) { values_[variable] = value; }

  /// Value of an integral expression.
  Result<std::int64_t> value(ExprId id, int depth = 0);
  /// Truth of any condition, by Kleene's rules: false and unknown is false.
  Result<Truth> truth(ExprId id, int depth = 0);

 private:
  Result<std::int64_t> binary(const Expr& e, int depth);

  const Nest& nest_;
  WalkLimits limits_;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> values_;
  std::vector<bool> in_scope_;
};

Error out_of_range();

}  // namespace ridge::accelerator
