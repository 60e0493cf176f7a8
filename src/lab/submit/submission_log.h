// SPDX-License-Identifier: Apache-2.0
// What a coordinator tells the log of its experiment: points once they are listed, and of machines
// and points what they are now.
//
//   SubmissionLog log(experiment_log);          // nullptr: nothing is told
//   TRY(log.plan(seats, ledger));               // points that it was not told of yet
//   log.tell(seats, ledger);                    // in each round; writes when it is due
//
// Ownership: borrows the log. Thread rule: one thread. Errors: the store's, of plan() alone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "lab/experiment/experiment_log.h"
#include "lab/submit/ledger.h"
#include "lab/submit/seat.h"

namespace ridge::lab {

class SubmissionLog {
 public:
  explicit SubmissionLog(ExperimentLog* log) : log_(log) {}

  Result<void> plan(const std::vector<Seat>& seats, const Ledger& ledger);
  void tell(const std::vector<Seat>& seats, const Ledger& ledger);
  /// The last word: agents that are not gone have ended.
  void finish(const std::vector<Seat>& seats, const Ledger& ledger);

 private:
  void note_points(const std::vector<Seat>& seats, const Ledger& ledger);

  ExperimentLog* log_;
  std::vector<std::int64_t> numbers_;  ///< numbers of the tasks in the experiment
  std::vector<bool> settled_;          ///< tasks whose end was told
};

/// A model of a point, with the file of the job that it is.
store::AgentModel model_of(const std::string& model, const Job& job);

}  // namespace ridge::lab
