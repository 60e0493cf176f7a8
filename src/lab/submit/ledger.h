// SPDX-License-Identifier: Apache-2.0
// Points to measure, who may measure each, and who does: leases.
//
//   Ledger ledger(clock, {});
//   ledger.add({.label = "a.onnx, batch=1, ort", .workers = {0, 2}});
//   if (auto lease = ledger.lease(worker)) ...send ledger.task(*lease)...
//   ledger.renew(id);                               // a sign of life
//   if (ledger.finish(id) == Finished::kFirst) ...merge the result...
//   for (LeaseId id : ledger.expire()) ...          // another worker gets the point
//
// A lease lasts `term` from its last sign of life by this program's clock; those of other machines
// do not matter. A lease that ran out or was lost frees its point, at most `tries` times.
// A result that comes for such a lease is taken if it is the first. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lab/agent/messages.h"

namespace ridge::lab {

enum class TaskState : std::uint8_t { kWaiting, kLeased, kHeld, kDone, kFailed };

struct Task {
  std::string label;
  std::vector<std::size_t> workers;  ///< workers that may measure it
  TaskState state = TaskState::kWaiting;
  int lost = 0;                   ///< leases of it that ended without a result
  std::string reason;             ///< kFailed: why
  std::optional<std::size_t> by;  ///< worker that measures or measured it
};

struct LeaseTerms {
  Nanos term{15'000'000'000};
  int tries = 5;
};

enum class Finished : std::uint8_t { kFirst, kAgain };

class Ledger {
 public:
  Ledger(const Clock& clock, LeaseTerms terms) : clock_(clock), terms_(terms) {}

  std::size_t add(Task task);
  const std::vector<Task>& tasks() const { return tasks_; }
  Task& task(std::size_t index) { return tasks_[index]; }
  std::size_t task_of(LeaseId id) const { return leases_.at(id).task; }
  std::size_t worker_of(LeaseId id) const { return leases_.at(id).worker; }
  bool knows(LeaseId id) const { return leases_.contains(id); }

  /// Leases the worker the first waiting point that it may measure; nullopt: there is none.
  std::optional<LeaseId> lease(std::size_t worker);
  void renew(LeaseId id);
  /// A result came. kAgain: the point has one already.
  Finished finish(LeaseId id);
  /// The point cannot be measured; nobody tries again.
  void fail(LeaseId id, std::string reason);
  /// This worker cannot measure the point; others that may are asked, if there are any.
  void decline(LeaseId id, std::string reason);
  /// The worker is gone, or gave the point back.
  void lose(LeaseId id, const std::string& reason);
  /// Leases that ran out now; their points are free again.
  std::vector<LeaseId> expire();
  /// The live lease of a worker.
  std::optional<LeaseId> lease_of(std::size_t worker) const;

  std::size_t count(TaskState state) const;
  /// Whether a point waits that the worker may measure.
  bool has_work(std::size_t worker) const;

 private:
  struct Lease {
    std::size_t task = 0, worker = 0;
    Nanos until;
    bool live = true;
  };

  void release(Lease& lease, const std::string& reason);

  const Clock& clock_;
  LeaseTerms terms_;
  std::vector<Task> tasks_;
  std::map<LeaseId, Lease> leases_;  ///< all there ever were
  LeaseId last_ = 0;
};

}  // namespace ridge::lab
