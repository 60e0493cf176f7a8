// Keeps the evaluations of a request: a lock for each, its document in a store, and those that the
// store has already.
//
//   auto recorder = TRY(EvaluationRecorder::make(request, bench, others, points, keeping));
//   if (auto before = TRY(recorder.stored(point))) ...           // not evaluated again
//   recorder.keep(evaluation, evaluated);                        // as soon as it is
//
// A point that was interrupted, or whose runtime ended, is stored without its key, so that it is
// evaluated again. Errors: the lock's and the store's; what cannot be stored is no error but
// Evaluation::store_error, so that the evaluation is not lost. Borrows what it is made from. Cost:
// hashes of the files; with a store or a lock to repeat, a start of each runtime.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/record/evaluation.h"
#include "evaluation/repeat/lock.h"
#include "session/workbench.h"
#include "store/store.h"

namespace ridge::evaluation {

/// Treatment of points that the store has. Their documents lack queries and spans: where these
/// are asked for, points are evaluated again.
enum class Stored : std::uint8_t { kSkip, kRepeat };

/// Store and lock of an evaluation.
struct EvaluationKeeping {
  store::Store* store = nullptr;           ///< keeps each point; those it has are not repeated
  const manifest::Lock* locked = nullptr;  ///< lock that the evaluation must have
  DifferentContent different = DifferentContent::kRefuse;
  Stored points = Stored::kSkip;
};

class EvaluationRecorder {
 public:
  /// `others`: the other models of a mix.
  static Result<EvaluationRecorder> make(const EvaluationRequest& request,
                                         const session::Workbench& bench,
                                         const std::vector<session::Workbench>& others,
                                         const std::vector<session::Point>& points,
                                         const EvaluationKeeping& keeping);

  /// The evaluation of the point that the store has; sets its data in `of`.
  Result<std::optional<EvaluatedPoint>> stored(const session::Point& point, Evaluation& of) const;
  /// Sets the point's lock, and stores it with the facts of its evaluation.
  Result<void> keep(Evaluation& of, EvaluatedPoint& point);
  /// Lock of all runtimes that were evaluated.
  const manifest::Lock& lock() const { return lock_; }

 private:
  EvaluationRecorder(const EvaluationRequest& request, const session::Workbench& bench,
                     const EvaluationKeeping& keeping)
      : request_(&request), bench_(&bench), keeping_(keeping) {}
  Result<void> open_runtimes(const std::vector<session::Point>& points);
  Result<void> count_stored(const std::vector<session::Point>& points) const;
  manifest::Lock lock_of_point(const std::string& runtime) const;
  Result<void> store(Evaluation& of, EvaluatedPoint& point);

  const EvaluationRequest* request_;
  const session::Workbench* bench_;
  EvaluationKeeping keeping_;
  manifest::Lock lock_;
  std::string machine_;
};

}  // namespace ridge::evaluation
