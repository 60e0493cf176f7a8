// A suite of bricks that is being measured: the plan in a folder, what the store has of it, and one
// process after the other until the goal is reached.
//
//   const SuiteRequest request{.folder = "suite", .store = "bricks.db"};
//   BricksSuite suite = TRY(BricksSuite::open(request, environment));
//   TRY(suite.measure_all(300));                       // up to five minutes
//   for (const bricks::ModelProgress& m : suite.progress()) m.estimate, m.reached
//
// Each process is stored when it ends, so an interrupted suite continues where it was. Bricks that
// do not fit into memory together are measured in several processes.
//
// Ownership: owns the store; borrows the environment. Thread rule: one thread. Errors: input class
// for a manifest of another runtime, version, host or thread count (RIDGE-WB-0071), a brick's file
// that cannot be read; those of the store and of the runtime.
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
#include "bricks/suite_goal.h"
#include "store/store.h"
#include "workbench/bricks_point.h"

namespace ridge::workbench {

struct SuiteRequest {
  std::string folder;  ///< written by plan_bricks
  std::string store;
  MeasureSpec spec;  ///< runtime and library; the thread count is that of the plan
  bricks::SuiteGoal goal;
};

/// Time that this object spent on a suite.
struct SuiteCost {
  std::size_t processes = 0;
  double load_s = 0, run_s = 0, wall_s = 0;
};

class BricksSuite {
 public:
  static Result<BricksSuite> open(const SuiteRequest& request, const Environment& environment);

  const bricks::Plan& plan() const { return plan_; }
  const bricks::SuiteTimes& times() const { return times_; }
  const BricksPoint& point() const { return point_; }
  const SuiteCost& cost() const { return cost_; }
  std::vector<bricks::ModelProgress> progress() const {
    return bricks::progress_of(plan_, times_, goal_);
  }
  /// Bricks for the next process.
  std::vector<bricks::Wanted> to_measure() const {
    return bricks::to_measure(plan_, times_, goal_);
  }
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
  BricksSuite(bricks::Plan plan, BricksPoint point, store::Store store, bricks::SuiteGoal goal,
              const Environment& environment);
  Result<void> load_times();
  Result<const analysis::Resolved*> model_of(std::size_t brick);
  Result<void> measure_batch(const std::vector<bricks::Wanted>& batch, double seconds);
  std::vector<std::vector<bricks::Wanted>> batches(std::vector<bricks::Wanted> bricks) const;

  bricks::Plan plan_;
  BricksPoint point_;
  store::Store store_;
  bricks::SuiteGoal goal_;
  const Environment* environment_;
  std::string folder_, key_;
  std::vector<profile::SuiteProcess> processes_;
  bricks::SuiteTimes times_;
  std::vector<std::optional<analysis::Resolved>> models_;         ///< by brick, once read
  std::vector<std::shared_ptr<const bricks::Network>> networks_;  ///< by brick, once loaded
  SuiteCost cost_;
  double last_s_ = 0;            ///< duration of the last process
  std::size_t last_bricks_ = 0;  ///< measured in it
};

}  // namespace ridge::workbench
