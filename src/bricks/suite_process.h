// SPDX-License-Identifier: Apache-2.0
// One process of a suite: loads its bricks, runs them in rounds, and returns what it recorded.
//
//   const SuiteProcess p = TRY(measure_suite(suite, {.options = options, .deadline = ...}));
//
// A brick that the runtime rejects, or that ends its process, is recorded as lost, and the others
// are measured in another process. Bricks are loaded in the given order until `load_until`; the
// rest is recorded as lost to the budget. After an interruption the rounds so far count.
//
// Errors: the runtime's, for reasons other than a brick (no library). Thread rule: one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "base/units.h"
#include "bricks/neighbors.h"
#include "bricks/network.h"
#include "profile/suite.h"
#include "runtime/options.h"

namespace ridge::bricks {

struct SuiteMember {
  std::string key;
  BrickSize size;
  const analysis::Resolved* model = nullptr;
  bool whole = false;  ///< Brick::whole
  /// Reuse distances at which it is measured (profile::SuiteBrick::reuse_bytes).
  std::vector<std::int64_t> reuse_bytes = {0};
  std::int64_t live_bytes = 0;  ///< Wanted::live_bytes
  std::int64_t far_bytes = 0;   ///< Wanted::far_bytes
  /// Where its network is kept for later processes (SuiteRunner::load); null: nowhere.
  std::shared_ptr<const Network>* network = nullptr;
};

struct SuitePlan {
  runtime::Options options;
  std::uint64_t seed = 1;
  /// Processes differ more than rounds: of forty networks, four rounds gave the same errors as ten
  /// (docs/bricks.md). More than kMinRuns, so that a disturbed run can be dropped.
  std::uint32_t min_rounds = 4, max_rounds = 40;
  /// Rounds continue up to max_rounds until this much time has passed since the first. Short,
  /// because processes differ more than rounds: many short ones are worth more than few long ones.
  Nanos min_time{150'000'000};
  /// Times of steady_clock(): no brick is loaded after the first, no round begins after the second
  /// (but kMinRuns are run). 0: no limit.
  Nanos load_until{0}, run_until{0};
  /// Called before each brick that is loaded and each round, for a progress line.
  std::function<void(const std::string& what, std::int64_t done, std::int64_t total)> progress;
};

/// Why a brick was not measured in a process whose time ended before.
inline constexpr char kBudgetSpent[] = "the budget was spent before it was measured";

Result<profile::SuiteProcess> measure_suite(const std::vector<SuiteMember>& members,
                                            const SuitePlan& plan);

}  // namespace ridge::bricks
