// SPDX-License-Identifier: Apache-2.0
// Measurements that clients start, one at a time, each a process of ridge that adds to the store.
//
//   Jobs jobs("runs.db", registry);
//   const Job job = TRY(jobs.start(request));      // RIDGE-SERVE-0035 while another one runs
//   jobs.find(job.id);  jobs.cancel(job.id);
//   answer.events = jobs.events(job.id);           // its state whenever it changes
//
// A job that runs when the object ends is ended with it; what it has kept by then stays. Ownership:
// the object outlives its events. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ipc/process.h"
#include "lab/serve/exchange.h"
#include "lab/serve/job_request.h"
#include "lab/serve/records.h"

namespace ridge::lab::serve {

class Jobs;

/// The right to measure on this machine, which ends with the object; the jobs outlive it.
class Turn {
 public:
  explicit Turn(Jobs& jobs) : jobs_(&jobs) {}
  Turn(Turn&& other) noexcept : jobs_(std::exchange(other.jobs_, nullptr)) {}
  Turn& operator=(Turn&&) = delete;
  ~Turn();

 private:
  Jobs* jobs_;
};

class Jobs {
 public:
  Jobs(std::string store, std::string registry)
      : store_(std::move(store)), registry_(std::move(registry)) {}

  Result<Job> start(const JobRequest& request);
  /// Newest first; the last kKept.
  std::vector<Job> list();
  /// Error: there is no such job (RIDGE-SERVE-0036).
  Result<Job> find(std::int64_t id);
  /// Ends it as Ctrl-C does: what was measured is kept.
  Result<Job> cancel(std::int64_t id);
  Result<std::shared_ptr<EventSource>> events(std::int64_t id);
  /// For what measures beside jobs: until the turn ends no job starts. Error: something measures
  /// already (RIDGE-SERVE-0035).
  Result<Turn> take_turn();

  static constexpr std::size_t kKept = 50;

 private:
  friend class Turn;

  void look();
  Result<void> check_free();
  Result<Job*> job_of(std::int64_t id);

  const std::string store_, registry_;
  std::mutex mutex_;
  std::vector<Job> jobs_;  ///< oldest first; only the last may run
  std::string request_;    ///< file of the job that runs
  ipc::Process process_;
  bool taken_ = false;  ///< there is a turn
};

}  // namespace ridge::lab::serve
