// SPDX-License-Identifier: Apache-2.0
// Who measures points: a host with an agent (agent_worker.h), or whatever else takes a job and
// answers with run databases.
//
//   worker.start(); poll(worker.wait_for()); for (WorkerEvent& e : worker.step()) ...
//
// Nothing blocks. After kLost the worker may be started again. Thread rule: one thread.
#pragma once

#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "lab/agent/messages.h"
#include "lab/submit/job.h"

namespace ridge::lab {

struct WorkerEvent {
  enum class What : std::uint8_t {
    kFacts,     ///< it answers: `facts`
    kPlan,      ///< it has the job: `plan`
    kSign,      ///< sign of life, of `lease` if not 0
    kProgress,  ///< `text` of `lease`
    kResult,    ///< `done` and `store` of `lease`
    kFault,     ///< `error` of the job, or of `lease` if not 0
    kLost,      ///< `error`: the worker is gone
  };

  What what = What::kSign;
  LeaseId lease = 0;
  Facts facts = {};
  Plan plan = {};
  std::string text = {};
  Done done = {};
  std::string store =
      {};  ///< path of the point's run database, which the receiver deletes; "": none
  std::optional<Error> error = {};
};

class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  virtual const std::string& name() const = 0;
  virtual const std::vector<std::string>& tags() const = 0;
  /// Points that it takes at once.
  virtual std::size_t slots() const = 0;

  virtual Result<void> start() = 0;
  /// `is_known`: it listed the points of the job before it was lost; its plan may be empty.
  virtual void give(const JobSource& job, bool is_known) = 0;
  virtual void run(const Run& run) = 0;
  virtual void stop(LeaseId lease) = 0;
  /// Ends it and what it started.
  virtual void end() = 0;

  /// Descriptors that step() waits for.
  virtual std::vector<pollfd> wait_for() const = 0;
  virtual std::vector<WorkerEvent> step() = 0;
};

}  // namespace ridge::lab
