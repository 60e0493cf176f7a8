// What bricks in a run database say about a model and an edited copy of it.
//
//   const AdvicePrice price = TRY(AdvicePrice::open("runs.db", point, info));
//   Result<profile::Estimate> gain = price.gain(before, after);
//
// Pieces that both models have cancel in the difference, so that it is as exact as the bricks that
// differ. Thread rule: one thread.
#pragma once

#include <string>

#include "advice/advice.h"
#include "advice/layer_graph.h"
#include "bricks/network.h"
#include "bricks/suite_times.h"
#include "workbench/bricks_point.h"

namespace ridge::workbench {

class AdvicePrice {
 public:
  AdvicePrice() = default;
  /// `store` "": no bricks. Errors: those of the store.
  static Result<AdvicePrice> open(const std::string& store, const BricksPoint& point,
                                  const runtime::RuntimeInfo& info);

  /// Latency before less latency after, with its 95 % interval. Error (input class, RIDGE-WB-0093):
  /// bricks of one of them are missing.
  Result<profile::Estimate> gain(const bricks::Network& before, const bricks::Network& after) const;

  /// The measured run, or the bricks that cover the model if they add up to less. `processors`: of
  /// the machine.
  advice::Achievable achievable(const bricks::Network& network, const profile::Profile& run,
                                const advice::LayerGraph& graph, std::uint32_t processors) const;

 private:
  const bricks::BrickTimes& times(const bricks::Network& network) const;

  bricks::SuiteTimes times_;
  bool any_ = false;
};

}  // namespace ridge::workbench
