// SPDX-License-Identifier: Apache-2.0
// The points of one call of run_on_slurm() (slurm.h), from their first submission to their results.
//
//   Campaign campaign = TRY(Campaign::open(partition, job, store, environment));
//   const Summary done = TRY(campaign.run());
//
// A point waits, is away as a task of a submission, or is done. Each round looks at the queue
// (every poll_s) and at the marks of what is away, decides (verdict.h), and submits what waits.
// Every decision is in the folder before it is acted on. Ownership: borrows all that it is opened
// with. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/slurm/command.h"
#include "lab/slurm/job_folder.h"
#include "lab/slurm/node_log.h"
#include "lab/slurm/partition.h"
#include "lab/slurm/queue.h"
#include "lab/slurm/summary.h"
#include "lab/slurm/verdict.h"
#include "session/environment.h"
#include "store/store.h"

namespace ridge::lab::slurm {

/// Jobs of a point that may be lost before it is given up, and those that may end without a mark.
inline constexpr int kMostLost = 20;
inline constexpr int kMostNotBegun = 5;

class Campaign {
 public:
  static Result<Campaign> open(const Partition& partition, const Job& job, store::Store& store,
                               const session::Environment& environment, LoggedPoints logged = {});
  Result<Summary> run();

 private:
  enum class State : std::uint8_t { kWaiting, kAway, kDone };

  struct Entry {
    const Point* point;
    PointFolder folder;
    State state = State::kWaiting;
    Outcome outcome = {};
    std::string signs = {};  ///< marks at its last sign of life
    Nanos last_sign{0};
    Nanos changed{0};      ///< it was submitted, or its end was seen; older queues do not count
    bool is_over = false;  ///< it has left its status
    int not_begun = 0;
  };

  Campaign(const Partition& partition, const Job& job, store::Store& store,
           const session::Environment& environment, JobFolder folder, LoggedPoints logged)
      : partition_(partition),
        job_(job),
        store_(store),
        environment_(environment),
        folder_(std::move(folder)),
        log_(std::move(logged)) {}

  Result<void> find_earlier();
  Result<void> round();
  Result<void> look_at_queue();
  std::vector<std::string> squeue_command() const;
  Result<void> look_at(Entry& entry);
  Seen seen(Entry& entry);
  Result<void> act(Entry& entry, Verdict verdict, const Seen& seen);

  Result<void> take_result(Entry& entry, const Seen& seen);
  Result<void> take_failure(Entry& entry, const Seen& seen);
  struct OwnStore;
  static Result<OwnStore> open_own(const std::string& path);
  Result<bool> merge(const Entry& entry, const std::string& submission, const OwnStore& own);
  std::size_t index_of(const Entry& entry) const {
    return static_cast<std::size_t>(&entry - entries_.data());
  }
  Result<void> lose(Entry& entry, Verdict verdict, const Seen& seen);
  Result<void> fail(Entry& entry, Error error);
  Summary summary() const;

  Result<void> submit_waiting();
  Result<void> submit(const std::vector<std::size_t>& array);
  Result<void> refused(const std::vector<std::size_t>& array, const Needs& needs, Error error);
  Result<void> stop();
  void cancel(const std::vector<std::string>& arguments) const;
  void not_reachable(const Error& error);
  void pause() const;
  std::size_t count(State state) const;

  const Partition& partition_;
  const Job& job_;
  store::Store& store_;
  const session::Environment& environment_;
  JobFolder folder_;
  NodeLog log_;
  std::vector<Entry> entries_;
  Queue queue_;
  Nanos queue_at_{0};        ///< when it was read, or was to be read
  bool queue_read_ = false;  ///< the last reading succeeded
  bool said_unreachable_ = false;
  std::int64_t lost_ = 0;
  bool interrupted_ = false;
};

}  // namespace ridge::lab::slurm
