// SPDX-License-Identifier: Apache-2.0
// Gains of edits, predicted from bricks in a run database and the measured run of the model.
//
//   const AdvicePrice price = TRY(AdvicePrice::open("runs.db", point, info, network, run));
//   Result<PricedEdit> priced = price.of(edited_network, origins);
//   priced->gain_ns, priced->changed
//
// Both models are put together from bricks. Pieces that both have take the same time in both, so
// the others make the gain: what the model loses has the time that it took in the run
// (advice/run_times.h, whose layers and time outside them add up to the latency), what the copy has
// instead the time of its bricks, calibrated on the pieces that both have (bricks/paired_gain.h).
// Bricks that the edit changes are compared in the processes that measured all of them, in turns.
//
// Time outside layers: one part per call and one per kernel:
//
//   outside of the copy = call + (outside of the model - call) * kernels of the copy / of the model
//
// with the call's as chains of kernels have it (bricks/brick_times.h), at most all of it.
//
// A gain whose interval is wider than what is allowed is not to be relied on
// (advice/record/verdict.h). Thread rule: one thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "advice/record/advice.h"
#include "bricks/estimate.h"
#include "bricks/network.h"
#include "bricks/paired_gain.h"
#include "bricks/run/point.h"
#include "bricks/suite_times.h"
#include "rewrite/rewritten.h"

namespace ridge::advice {

/// Most share of the time of a copy that bricks without a measured time may have.
inline constexpr double kMaxPredicted = 0.2;

struct PricedEdit {
  stats::Estimate gain_ns;  ///< latency of the model less the copy's
  std::vector<ChangedPiece> changed;
};

class AdvicePrice {
 public:
  AdvicePrice() = default;
  /// `store` "": no bricks. `model`: as the runtime executes it. Errors: the store's.
  static Result<AdvicePrice> open(const std::string& store, const bricks::BricksPoint& point,
                                  const runtime::RuntimeInfo& info, const bricks::Network& model,
                                  const profile::Profile& run);

  /// `origins` empty: `changed` stays empty.
  /// Error (input class, RIDGE-WB-0093): bricks of one of them are missing, or were measured in one
  /// process only, or more than kMaxPredicted of the time of `edited` is of bricks that were
  /// planned and not measured.
  Result<PricedEdit> of(const bricks::Network& edited, const rewrite::Origins& origins = {}) const;

  /// The measured run, or the bricks that cover the model if they add up to less; without
  /// Achievable::scheduled_ns.
  Achievable achievable() const;

 private:
  /// Pieces of the model with one brick.
  struct Pieces {
    double count = 0, brick_ns = 0, predicted_half_ns = 0, in_run_ns = 0;

    void add(const bricks::EstimatedLayer& layer, double ran_ns);
  };
  struct Divided {
    bricks::ModelAndCopy pieces;
    double exact_ns = 0;  ///< gain of pieces of the model of which the copy has more
    std::deque<bricks::ProcessTimes> common;  ///< times that `pieces` refers to
  };

  void take_run(const bricks::Network& model, const profile::Profile& run);
  const Pieces* pieces_of(const std::string& brick) const;
  Divided divide(const bricks::ModelEstimate& after) const;
  static void keep_common_processes(Divided& divided);
  double outside_ns(const bricks::ModelEstimate& after, const bricks::Network& edited) const;
  std::vector<ChangedPiece> changed(const bricks::ModelEstimate& after, double factor,
                                    const rewrite::Origins& origins) const;

  std::shared_ptr<const bricks::SuiteTimes> suites_;  // null: no bricks
  const bricks::BrickTimes* times_ = nullptr;         // at the reuse distance of the model
  bricks::ModelEstimate model_;
  stats::Estimate latency_ns_;
  std::vector<double> in_run_ns_;         // by layer of model_: its time in the run
  std::map<std::string, Pieces> pieces_;  // of the model, by brick
  double outside_ns_ = 0;                 // time of the run that no piece has
  std::size_t kernels_ = 0;               // of the model
};

}  // namespace ridge::advice
