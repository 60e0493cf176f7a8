// Hooks in a loop nest, and two ways to walk one that tell them the same.
//
//   class Reads : public NestHooks {
//     void on_read(BufferId buffer, const Visit& visit) override { sum += visit.times; } ...
//   };
//   TRY(execute(nest, reads));    // every iteration, one call per event
//   TRY(count(nest, reads));      // one call per place in the nest, `times` as often as it happens
//
// execute() is the oracle: it evaluates every index and checks it against the buffer's shape. It
// is for small shapes. count() multiplies extents; under a condition it counts the points of those
// loop variables alone that the condition depends on, so a nest of 10^12 iterations takes
// microseconds. Both sum to the same, for every hook, buffer and block.
//
// Where the elements themselves decide (an index or a condition that is loaded), neither can know:
// both sides of such a condition are walked, and `at_most` is set.
// Thread rule: pure apart from the hooks. Errors (input class): a variable out of scope, an index
// out of bounds (execute), more steps than `limits` allow, counts beyond 64 bits.
#pragma once

#include <cstdint>

#include "accelerator/nests/loop_nest.h"
#include "base/result.h"

namespace ridge::accelerator {

struct Visit {
  StmtId block = kNothing;  ///< the innermost block around
  std::int64_t times = 1;
  bool at_most = false;  ///< the data decide whether it happens
  /// Which element of the buffer, row-major; -1: several, or the data decide.
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
  std::int64_t steps = 200'000'000;  ///< statements and expressions looked at
  int depth = 1'000;                 ///< of statements and of expressions, within one another
  std::int64_t* taken = nullptr;     ///< what several walks that share `steps` have taken together
};

Result<void> execute(const Nest& nest, NestHooks& hooks, const WalkLimits& limits = {});
Result<void> count(const Nest& nest, NestHooks& hooks, const WalkLimits& limits = {});

}  // namespace ridge::accelerator
