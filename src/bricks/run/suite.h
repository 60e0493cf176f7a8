// SPDX-License-Identifier: Apache-2.0
// A suite of bricks that is being measured: the plan in a folder, what the store has of it, and one
// process after the other until the goal is reached.
//
//   const SuiteRequest request{.folder = "suite", .store = "bricks.db"};
//   BricksSuite suite = TRY(BricksSuite::open(request, environment));
//   TRY(suite.measure_all(300));                       // up to five minutes
//   for (const ModelProgress& m : suite.progress()) m.estimate, m.reached
//
// Each process is stored when it ends, so an interrupted suite continues where it was. Bricks that
// do not fit into memory together are measured in several processes.
//
// Ownership: owns the store; borrows the environment. Thread rule: one thread. Errors: input class
// for a manifest of another runtime, version, host or thread count (RIDGE-WB-0071), a brick's file
// that cannot be read; errors of the store and of the runtime.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "bricks/brick_times.h"
#include "bricks/network.h"
#include "bricks/plan.h"
#include "bricks/run/point.h"
#include "bricks/suite_goal.h"
#include "store/store.h"

namespace ridge::bricks {

struct SuiteRequest {
  std::string folder;  ///< written by plan_bricks
  std::string store;
  session::MeasureSpec spec;  ///< runtime and library; the thread count is the plan's
  SuiteGoal goal;
};

/// Time that this object spent on a suite.
struct SuiteCost {
  std::size_t processes = 0;
  double load_s = 0, run_s = 0, wall_s = 0;
};

class BricksSuite {
 public:
  static Result<BricksSuite> open(const SuiteRequest& request,
                                  const session::Environment& environment);

  const Plan& plan() const { return plan_; }
  const SuiteTimes& times() const { return times_; }
  const BricksPoint& point() const { return point_; }
  const SuiteCost& cost() const { return cost_; }
  std::vector<ModelProgress> progress() const { return progress_of(plan_, times_, goal_); }
  /// Bricks for the next process.
  std::vector<Wanted> to_measure() const { return bricks::to_measure(plan_, times_, goal_); }
  /// Duration of one round of all bricks of the plan, donors and chains included; NaN if no process
  /// had all of them.
  double round_s() const;
  /// Expected duration of the next process in seconds; nullopt before the first.
  std::optional<double> expected_s() const;

  /// Measures the bricks of to_measure() in one process, or in several if memory is short, and
  /// stores the result. `seconds`: for all further processes together; 0: no limit.
  Result<void> measure(double seconds);
  /// Measures until the goal is reached, the budget (0: none) is spent, or the environment stops.
  Result<void> measure_all(double budget_s);

 private:
  BricksSuite(Plan plan, BricksPoint point, store::Store store, SuiteGoal goal,
              const session::Environment& environment);
  Result<void> load_times();
  Result<const analysis::Resolved*> model_of(std::size_t brick);
  Result<void> measure_batch(const std::vector<Wanted>& batch, double seconds);
  std::vector<std::vector<Wanted>> batches(std::vector<Wanted> bricks) const;

  Plan plan_;
  BricksPoint point_;
  store::Store store_;
  SuiteGoal goal_;
  const session::Environment* environment_;
  std::string folder_, key_;
  std::vector<profile::SuiteProcess> processes_;
  SuiteTimes times_;
  std::vector<std::optional<analysis::Resolved>> models_;  ///< by brick, once read
  std::vector<std::shared_ptr<const Network>> networks_;   ///< by brick, once loaded
  SuiteCost cost_;
  double last_s_ = 0;            ///< duration of the last process
  std::size_t last_bricks_ = 0;  ///< measured in it
};

}  // namespace ridge::bricks
