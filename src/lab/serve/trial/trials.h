// SPDX-License-Identifier: Apache-2.0
// Tries of models on samples of clients, one at a time, none beside a job.
//
//   Trials trials(jobs, registry);
//   const Trial begun = TRY(trials.start(setup));      // RIDGE-SERVE-0035 while something measures
//   trials.find(begun.id)->pairs;                      // those that are done
//
// A try runs in a thread of its own; its files are in a temporary folder that ends with it. One
// that runs when the object ends is ended with it. Ownership: the jobs outlive the object. Thread
// rule: any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"
#include "lab/serve/jobs.h"
#include "lab/serve/trial/request.h"

namespace ridge::lab::serve {

class Trials {
 public:
  Trials(Jobs& jobs, std::string registry) : jobs_(jobs), registry_(std::move(registry)) {}

  /// Errors: also of the .npy file.
  Result<Trial> start(TrialSetup setup);
  /// Error: there is none, or it is older than the last kKept (RIDGE-SERVE-0036).
  Result<Trial> find(std::int64_t id);
  /// Ends it; the pairs that are done stay.
  Result<Trial> cancel(std::int64_t id);

  static constexpr std::size_t kKept = 20;

 private:
  struct Work {
    Turn turn;
    TemporaryFolder folder;
    TrialSetup setup;
  };

  Result<Trial*> trial_of(std::int64_t id);
  void run(const std::stop_token& stop, std::int64_t id, Work work);

  Jobs& jobs_;
  const std::string registry_;
  std::mutex starting_;
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::vector<Trial> trials_;  ///< oldest first; only the last may run
  std::jthread thread_;        ///< last: it ends before what it uses
};

}  // namespace ridge::lab::serve
