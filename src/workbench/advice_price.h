// Times of a model and of edited copies of it, from bricks in a run database.
//
//   const AdvicePrice price = TRY(AdvicePrice::open("runs.db", point, info, network));
//   Result<profile::Estimate> gain = price.gain(edited_network);
//
// Pieces that both models have cancel in the difference, so that it is as exact as the bricks that
// differ. For that, copies are put together from bricks at the reuse distance of the model. Thread
// rule: one thread.
#pragma once

#include <memory>
#include <string>

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
                                  const runtime::RuntimeInfo& info, const bricks::Network& model);

  /// Latency of the model less that of the edited copy, with its 95 % interval. Error (input class,
  /// RIDGE-WB-0093): bricks of one of them are missing.
  Result<profile::Estimate> gain(const bricks::Network& edited) const;

  /// The measured run, or the bricks that cover the model if they add up to less; without
  /// Achievable::scheduled_ns.
  advice::Achievable achievable(const profile::Profile& run) const;

 private:
  std::shared_ptr<const bricks::SuiteTimes> suites_;  // null: no bricks
  const bricks::BrickTimes* times_ = nullptr;         // at the reuse distance of the model
  bricks::ModelEstimate model_;
};

}  // namespace ridge::workbench
