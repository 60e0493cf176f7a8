// SPDX-License-Identifier: Apache-2.0
// What Slurm's queue says of jobs: `squeue --json`, without an accounting database.
//
//   const Queue queue = TRY(read_queue(ended.output));
//   const QueuedTask task = queue.task("ridge-1f00-000001", 7);
//   if (task.state == TaskState::kAbsent) ...     // never submitted, or over for MinJobAge
//
// Read are versions 22.05 to 24.11, whose documents differ in the form of numbers and states; other
// keys are not looked at. Hostile text is safe (record/json_tree.h). Errors: environment class,
// RIDGE-LAB-0308, for another document. Thread rule: immutable once read. Cost: that of the JSON,
// about 3 KB for each job of the cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ridge::lab::slurm {

enum class TaskState : std::uint8_t {
  kAbsent,     ///< the queue does not know it
  kWaiting,    ///< not started, suspended, or about to start
  kRunning,    ///< Slurm thinks that it runs
  kEnded,      ///< over, whatever its end
  kOverTime,   ///< ended at its time limit
  kOverMemory  ///< ended for its memory
};

struct QueuedTask {
  TaskState state = TaskState::kAbsent;
  std::string id;      ///< for scancel: "17_3"
  std::string reason;  ///< Slurm's word for why it waits: "Resources"
};

class Queue {
 public:
  /// `job`: the name of the array. A task of an array that is not split up yet has its state.
  QueuedTask task(const std::string& job, std::int64_t task) const;
  /// Whether any task of the array is in the queue, over or not.
  bool knows(const std::string& job) const { return jobs_.contains(job); }

 private:
  friend Result<Queue> read_queue(std::string_view json);

  struct Array {
    std::map<std::int64_t, QueuedTask> tasks;
    /// Tasks without a job of their own: their numbers as ranges, and what they have in common.
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    QueuedTask rest;
  };
  std::map<std::string, Array> jobs_;
};

Result<Queue> read_queue(std::string_view json);

/// True for a reason for which a job waits without end (squeue(1), "JOB REASON CODES").
bool waits_forever(std::string_view reason);

}  // namespace ridge::lab::slurm
