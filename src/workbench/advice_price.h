// Gains of edits, predicted from bricks in a run database and the measured run of the model.
//
//   const AdvicePrice price = TRY(AdvicePrice::open("runs.db", point, info, network, run));
//   Result<profile::Estimate> gain = price.gain(edited_network);
//
// Both models are put together from bricks. Pieces that both have cancel. Of those that differ,
// what the model loses has the time that it took in the run, and what the copy has instead that of
// its bricks, which were never run in a model:
//
//   gain = sum over the bricks b of the model that the copy lacks of times(b) * time in the run
//        - sum over the bricks b of the copy that the model lacks of times(b) * time of the brick
//
// A run shows what small kernels between others cost, such as a reorder into an output of the model
// that no cache contains; bricks show best what large ones cost. Copies are put together from
// bricks at the reuse distance of the model. Thread rule: one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "advice/advice.h"
#include "bricks/estimate.h"
#include "bricks/network.h"
#include "bricks/suite_times.h"
#include "workbench/bricks_point.h"

namespace ridge::workbench {

class AdvicePrice {
 public:
  AdvicePrice() = default;
  /// `store` "": no bricks. `model`: as the runtime executes it. Errors: those of the store.
  static Result<AdvicePrice> open(const std::string& store, const BricksPoint& point,
                                  const runtime::RuntimeInfo& info, const bricks::Network& model,
                                  const profile::Profile& run);

  /// Latency of the model less that of the edited copy, with its 95 % interval. Error (input class,
  /// RIDGE-WB-0093): bricks of one of them are missing.
  Result<profile::Estimate> gain(const bricks::Network& edited) const;

  /// The measured run, or the bricks that cover the model if they add up to less; without
  /// Achievable::scheduled_ns.
  advice::Achievable achievable() const;

 private:
  std::shared_ptr<const bricks::SuiteTimes> suites_;  // null: no bricks
  const bricks::BrickTimes* times_ = nullptr;         // at the reuse distance of the model
  bricks::ModelEstimate model_;
  profile::Estimate latency_ns_;
  std::vector<double> in_run_ns_;  // by layer of model_: its time in the run
};

}  // namespace ridge::workbench
