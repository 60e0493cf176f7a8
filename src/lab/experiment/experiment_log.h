// SPDX-License-Identifier: Apache-2.0
// The news of an experiment that a store learns while its points are handed out.
//
//   ExperimentLog log = TRY(ExperimentLog::begin(store, experiment, steady_clock()));
//   const std::vector<std::int64_t> numbers = TRY(log.plan(points));
//   log.tell(agent);  log.failed(numbers[3], "it crashed");      // kept until it is written
//   log.write_if_due();                                          // in each round
//   log.end(store::ExperimentState::kDone);
//
// Notes go through a connection of its own that waits kPatience for other writers, once in kPause
// and for a twentieth of the time at most: a store that is busy or away gets them later, and what
// hands out points goes on. Nothing is lost of what was noted until end().
//
// Ownership: borrows the store and the clock. Thread rule: one thread. Errors of begin() and plan()
// are the store's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/experiment.h"
#include "store/store.h"

namespace ridge::lab {

class ExperimentLog {
 public:
  static constexpr Nanos kPatience{200'000'000}, kPause{3'000'000'000};

  /// Sets the state and times of `experiment`.
  static Result<ExperimentLog> begin(store::Store& store, store::Experiment experiment,
                                     const Clock& clock);

  store::ExperimentId id() const { return id_; }
  /// Numbers of the points, as Store::plan.
  Result<std::vector<std::int64_t>> plan(const std::vector<store::PlannedPoint>& points);

  /// An agent as it is now, in place of the one of its name.
  void tell(store::Agent agent);
  void failed(std::int64_t point, std::string error);
  /// `place`: the machine that measured it, and the key of the result if it was not planned.
  void measured(std::int64_t point, store::PointPlace place);

  bool is_due() const { return clock_.now() >= next_; }
  void write_if_due();
  /// Agents that are not gone have ended as well. Error: the store did not take what was noted.
  Result<void> end(store::ExperimentState state);

 private:
  ExperimentLog(store::Store& store, store::Store own, store::ExperimentId id, const Clock& clock)
      : store_(store), own_(std::move(own)), id_(id), clock_(clock) {}
  Result<void> write(store::ExperimentState state, std::optional<std::int64_t> ended_s);

  store::Store& store_;
  store::Store own_;  ///< for notes
  store::ExperimentId id_;
  const Clock& clock_;
  std::map<std::string, store::Agent> agents_;
  std::vector<store::PointNews> points_;  ///< not written yet
  Nanos next_{0};
};

}  // namespace ridge::lab
