// SPDX-License-Identifier: Apache-2.0
// Hooks in a loop nest, and a walker that reports events to them.
//
//   class Reads : public NestHooks {
//     void on_read(BufferId buffer, const Visit& visit) override { sum += visit.times; } ...
//   };
//   TRY(count(nest, reads));      // one call per place in the nest, `times`: how often it happens
//
// count() multiplies extents; under a condition it enumerates only those loop variables that the
// condition depends on, so a nest of 10^12 iterations takes microseconds. The sums for every hook,
// buffer and block equal the sums of a walk through every iteration (execute_testing.h).
//
// If the elements themselves decide (an index or a condition that is loaded), the outcome is
// unknown: both branches of such a condition are walked, and `at_most` is set.
// Thread rule: pure apart from the hooks. Errors (input class): a variable out of scope, more
// steps than `limits` allow, counts above 64 bits.
#pragma once

#include <cstdint>

#include "accelerator/nests/loop_nest.h"
#include "base/result.h"

namespace ridge::accelerator {

struct Visit {
  StmtId block = kNothing;  ///< innermost enclosing block
  std::int64_t times = 1;
  bool at_most = false;  ///< the data determines whether it happens
  /// Element of the buffer, row-major; -1: several, or determined by the data.
  std::int64_t element = -1;
};

class NestHooks {
 public:
  virtual ~NestHooks() = default;
  virtual void on_loop(StmtId /*loop*/, const Visit& /*visit*/) {}  ///< an iteration begins
  virtual void on_block(const Visit& /*visit*/) {}
  virtual void on_allocation(BufferId /*buffer*/, const Visit& /*visit*/) {}
  virtual void on_read(BufferId /*buffer*/, const Visit& /*visit*/) {}
  virtual void on_write(BufferId /*buffer*/, const Visit& /*visit*/) {}
  virtual void on_operation(Operation /*what*/, const Visit& /*visit*/) {}
};

struct WalkLimits {
  std::int64_t steps = 200'000'000;  ///< limit on statements and expressions visited
  int depth = 1'000;                 ///< limit on the nesting of statements and of expressions
  std::int64_t* taken = nullptr;     ///< steps taken so far by all walks that share `steps`
};

Result<void> count(const Nest& nest, NestHooks& hooks, const WalkLimits& limits = {});

}  // namespace ridge::accelerator
