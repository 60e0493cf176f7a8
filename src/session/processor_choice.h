// SPDX-License-Identifier: Apache-2.0
// The processors to which measurements pin their threads: those that no other measurement of this
// machine holds (machine/processor_claims.h).
//
//   const ProcessorScope scope(environment, spec.threads);   // while it measures
//   r.runtime.cpus = choose_processors(environment, threads);
//
// A scope claims all processors that its measurements need at once, so that two programs never wait
// for each other, and releases them at its end; a scope inside another adds nothing. Where too few
// are free, it says so and waits until enough are, or until the environment's stop flag is set.
// Thread rule: one thread; scopes end in reverse order.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/host.h"
#include "session/environment.h"

namespace ridge::session {

class ProcessorScope {
 public:
  /// Says that it waits only after this time: most measurements are shorter.
  static constexpr std::chrono::milliseconds kPatience{20000};

  /// `threads`: the thread counts of its measurements; none where nothing is pinned.
  ProcessorScope(const Environment& environment, std::span<const int> threads,
                 std::chrono::milliseconds patience = kPatience);
  ProcessorScope(const ProcessorScope&) = delete;
  ProcessorScope& operator=(const ProcessorScope&) = delete;
  ~ProcessorScope();

 private:
  bool outermost_ = false;
};

/// Allowed processors in order of preference: one of each core, then their siblings.
std::vector<int> processor_order(const machine::Host& host);

/// A processor per thread, whether others hold it or not; empty if the host has too few.
std::vector<std::uint32_t> first_processors(const machine::Host& host, int threads);

/// A processor per thread: the scope's, outside of one the first; empty if the host has too few.
std::vector<std::uint32_t> choose_processors(const Environment& environment, int threads);

/// The processors that keys of stored results name for threads pinned to `chosen`: the first ones,
/// since a result does not depend on which were free.
std::vector<std::uint32_t> processors_in_keys(const machine::Host& host,
                                              const std::vector<std::uint32_t>& chosen);

}  // namespace ridge::session
