// Values of a nest's expressions while some of its variables have one. Private to the walkers.
//
// Thread rule: one thread. Cost: linear in the expression written out as a tree, under the limits
// of the walk that it belongs to. Errors: as walk.h says.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "accelerator/nests/walk.h"

namespace ridge::accelerator {

/// nullopt: the data decide.
using Truth = std::optional<bool>;

class Evaluator {
 public:
  Evaluator(const Nest& nest, const WalkLimits& limits);

  /// One more thing is looked at, `depth` below the first.
  Result<void> step(int depth);

  /// Fails where the variable is in scope already.
  Result<void> enter(VarId variable);
  void leave(VarId variable) { in_scope_[variable] = false; }
  bool in_scope(VarId variable) const { return variable < in_scope_.size() && in_scope_[variable]; }
  void set(VarId variable, std::int64_t value) { values_[variable] = value; }

  /// Of an integral expression.
  Result<std::int64_t> value(ExprId id, int depth = 0);
  /// Of any condition, by Kleene's rules: false and unknown is false.
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
