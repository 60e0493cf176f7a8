// SPDX-License-Identifier: Apache-2.0
// Keeps the evaluations of a request: a lock for each, its document in a store, and those that the
// store has already.
//
//   auto recorder = TRY(EvaluationRecorder::make(request, points, lock, keeping, environment));
//   if (auto before = TRY(recorder.stored(point))) ...           // not evaluated again
//   recorder.keep(evaluation, evaluated, data_sha256);           // as soon as it is
//
// A point that was interrupted, or whose runtime ended, is stored without its key, so that it is
// evaluated again. Errors: the lock's and the store's; what cannot be stored is no error but
// Evaluation::store_error, so that the evaluation is not lost. Borrows what it is made from. Cost:
// with a store or a lock to repeat, a start of each runtime.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/record/evaluation.h"
#include "evaluation/repeat/lock.h"
#include "measure/request.h"
#include "session/environment.h"
#include "session/measure_spec.h"
#include "session/point_choice.h"
#include "store/store.h"

namespace ridge::evaluation {

using session::Stored;

/// Store and lock of an evaluation.
struct EvaluationKeeping {
  store::Store* store = nullptr;           ///< keeps each point; those it has are not repeated
  const manifest::Lock* locked = nullptr;  ///< lock that the evaluation must have
  DifferentContent different = DifferentContent::kRefuse;
  Stored points = Stored::kSkip;
  std::vector<std::string> wanted =
      {};  ///< keys of the points to evaluate (repeat/lock.h); {}: all
};

/// A point, and how it is measured.
struct PlannedPoint {
  session::Point point;
  measure::Request measuring;
};

/// Key of the point's evaluation in a store, as this machine measures it; "" where its runtime
/// cannot be opened. `lock`: as of make().
Result<std::string> key_in_store(const PlannedPoint& point, manifest::Lock lock,
                                 const session::Environment& environment);

class EvaluationRecorder {
 public:
  /// `lock`: of the request, without runtimes; with the data's hash if the keeping has a store or a
  /// lock.
  static Result<EvaluationRecorder> make(const EvaluationRequest& request,
                                         std::span<const PlannedPoint> points, manifest::Lock lock,
                                         const EvaluationKeeping& keeping,
                                         const session::Environment& environment);

  /// The evaluation of the point that the store has; sets its data in `of`.
  Result<std::optional<EvaluatedPoint>> stored(const session::Point& point, Evaluation& of) const;
  /// Sets the point's lock, and stores it with the facts of its evaluation.
  Result<void> keep(Evaluation& of, EvaluatedPoint& point, const std::string& data_sha256);
  /// Lock of all runtimes that were evaluated.
  const manifest::Lock& lock() const { return lock_; }

 private:
  EvaluationRecorder(const EvaluationRequest& request, manifest::Lock lock,
                     const EvaluationKeeping& keeping, const session::Environment& environment)
      : request_(&request),
        environment_(&environment),
        keeping_(keeping),
        lock_(std::move(lock)),
        machine_(environment.host.identity()) {}
  Result<void> open_runtimes(std::span<const PlannedPoint> points);
  Result<void> count_stored(std::span<const PlannedPoint> points) const;
  manifest::Lock lock_of_point(const std::string& runtime) const;
  Result<void> store(Evaluation& of, EvaluatedPoint& point);

  const EvaluationRequest* request_;
  const session::Environment* environment_;
  EvaluationKeeping keeping_;
  manifest::Lock lock_;
  std::string machine_;
};

}  // namespace ridge::evaluation
