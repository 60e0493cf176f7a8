// Gains of edits, predicted from bricks in a run database and the measured run of the model.
//
//   const AdvicePrice price = TRY(AdvicePrice::open("runs.db", point, info, network, run));
//   Result<PricedEdit> priced = price.of(edited_network, origins);
//   priced->gain_ns, priced->changed
//
// Both models are put together from bricks. A piece that the model has too has the mean time that
// it took in the run, another that of its brick, which was never run in a model:
//
//   gain = sum of the times of the model's pieces - sum of those of the copy's
//
// Pieces that both have cancel, so that the gain arises where the edit changes the model.
//
// A run shows what small kernels between others cost, such as a reorder into an output of the model
// that no cache contains; bricks show best what large ones cost. Copies are put together from
// bricks at the reuse distance of the model.
//
// The interval combines that of the run, that of the bricks that the copy has instead, the share by
// which the bricks of the model differ from its run, since those of the copy may differ from a run
// of it as much, and kSeriesApart. Thread rule: one thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "advice/advice.h"
#include "bricks/estimate.h"
#include "bricks/network.h"
#include "bricks/suite_times.h"
#include "rewrite/rewritten.h"
#include "workbench/bricks_point.h"

namespace ridge::workbench {

/// Part of the latency by which two series of one model, minutes apart in other processes, differ
/// (median of 87 copies of bench/advice_scoreboard.py on a shared machine).
inline constexpr double kSeriesApart = 0.02;
/// Most share of the time of a copy that bricks without a measured time may have.
inline constexpr double kMostPredicted = 0.2;

struct PricedEdit {
  profile::Estimate gain_ns;  ///< latency of the model less that of the copy
  std::vector<advice::ChangedPiece> changed;
};

class AdvicePrice {
 public:
  AdvicePrice() = default;
  /// `store` "": no bricks. `model`: as the runtime executes it. Errors: those of the store.
  static Result<AdvicePrice> open(const std::string& store, const BricksPoint& point,
                                  const runtime::RuntimeInfo& info, const bricks::Network& model,
                                  const profile::Profile& run);

  /// `origins` empty: `changed` stays empty.
  /// Error (input class, RIDGE-WB-0093): bricks of one of them are missing, or more than
  /// kMostPredicted of the time of `edited` is of bricks that were planned and not measured.
  Result<PricedEdit> of(const bricks::Network& edited, const rewrite::Origins& origins = {}) const;

  /// The measured run, or the bricks that cover the model if they add up to less; without
  /// Achievable::scheduled_ns.
  advice::Achievable achievable() const;

 private:
  void compare_with_run();
  const double* in_run_ns(const std::string& brick) const;
  profile::Estimate made_ns(const bricks::ModelEstimate& after) const;
  std::vector<advice::ChangedPiece> changed(const bricks::ModelEstimate& after,
                                            const rewrite::Origins& origins) const;

  std::shared_ptr<const bricks::SuiteTimes> suites_;  // null: no bricks
  const bricks::BrickTimes* times_ = nullptr;         // at the reuse distance of the model
  bricks::ModelEstimate model_;
  profile::Estimate latency_ns_;
  std::vector<double> in_run_ns_;  // by layer of model_: its time in the run
  std::unordered_map<std::string, double> brick_in_run_ns_;  // by key: mean over its layers
  double disagreement_ = 0;  // of the bricks of the model with its run, as a share
};

}  // namespace ridge::workbench
