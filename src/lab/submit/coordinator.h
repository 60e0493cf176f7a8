// SPDX-License-Identifier: Apache-2.0
// Hands out the points of jobs to machines until each has its result in the store.
//
//   Submission done = TRY(submit({.jobs = jobs, .needs = needs, .spread = Spread::kEach}, workers,
//                                results, watch));
//
// Every machine is first asked what it is and has; who does not fit is told why. One that fits gets
// the jobs and lists their points, each with the key of its result there: so a point that the store
// has is not measured again, and a submission that was ended at any moment goes on where it was.
// Points are handed out by leases (ledger.h) once all machines answered or are gone. A machine that
// is lost after that is started again, with longer and longer pauses.
//
// Ownership: borrows all. Thread rule: one thread. Errors: the store's; a machine's are in the
// Submission.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/words.h"
#include "lab/experiment/experiment_log.h"
#include "lab/submit/job.h"
#include "lab/submit/needs.h"
#include "lab/submit/results.h"
#include "lab/submit/submission.h"
#include "lab/submit/worker.h"
#include "session/environment.h"

namespace ridge {
namespace lab {

enum class Spread : std::uint8_t { kEach, kAny };

struct SubmitPlan {
  std::vector<JobSource> jobs;
  std::vector<Needs> needs;  ///< needs of each job
  Spread spread = Spread::kEach;
  bool dry_run = false;  ///< only list who gets what
  LeaseTerms terms = {};
};

struct SubmitWatch {
  session::Notices& notices;
  Progress* progress = nullptr;             ///< may be null
  const std::atomic<bool>* stop = nullptr;  ///< may be null
  const Clock& clock = steady_clock();
  ExperimentLog* log = nullptr;  ///< log of the experiment; null: there is none
};

/// `results`: null for a dry run without a store.
Result<Submission> submit(const SubmitPlan& plan, std::vector<std::unique_ptr<Worker>>& workers,
                          Results* results, const SubmitWatch& watch);

}  // namespace lab

template <>
struct Words<lab::Spread> {
  using Spread = lab::Spread;
  static constexpr std::array list{
      Word{Spread::kEach, "each", "a point on every machine that fits"},
      Word{Spread::kAny, "any", "a point on one of them, whichever is free"}};
};

}  // namespace ridge
