// SPDX-License-Identifier: Apache-2.0
// The news that a campaign tells the log of its experiment: of the partition, of the nodes that its
// jobs show, and of points.
//
//   NodeLog log({&experiment_log, "lab", numbers});      // without a log nothing is told
//   log.alive("n1", "a.onnx, batch=1, 1 thread, null");  // its job shows life
//   log.stored(0, "n1", results_in(own));
//   log.tell(waiting, away);                             // in each round; writes when it is due
//
// A node is "lab/n1". What it has is known from its first result on. Ownership: borrows the log.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "lab/experiment/experiment_log.h"
#include "store/store.h"

namespace ridge::lab::slurm {

/// Points of a campaign in their experiment.
struct LoggedPoints {
  ExperimentLog* log = nullptr;       ///< null: there is no experiment
  std::string partition;              ///< name of the partition
  std::vector<std::int64_t> numbers;  ///< numbers of the points, in their order
};

/// Content of the run database of a job.
struct OwnResults {
  std::vector<std::string> keys;  ///< keys of results; "" for one that is to be measured again
  std::string machine, ridge_version;
  std::vector<store::AgentRuntime> runtimes;
  std::vector<store::AgentModel> models;
};
Result<OwnResults> results_in(const store::Store& own);

class NodeLog {
 public:
  explicit NodeLog(LoggedPoints points);

  void alive(const std::string& node, const std::string& label);
  /// The job of the point is over; `node`: "" where it is not known.
  void stored(std::size_t point, const std::string& node, const OwnResults& results);
  void failed(std::size_t point, const std::string& node, const Error& error);
  void lost(const std::string& node, const std::string& why);
  void queue_answered();
  void unreachable(const Error& error);
  void tell(std::size_t waiting, std::size_t away);

 private:
  store::Agent* node(const std::string& name);
  void over(const std::string& name);

  LoggedPoints points_;
  store::Agent partition_;
  std::map<std::string, store::Agent> nodes_;
};

}  // namespace ridge::lab::slurm
