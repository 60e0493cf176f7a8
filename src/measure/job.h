// SPDX-License-Identifier: Apache-2.0
// One model in one runtime during its measurement, process by process.
//
//   Job job = TRY(Job::begin(resolved, request));
//   Job::Started started = TRY(job.start(1));               // a process with the model loaded
//   TRY(job.take(1, started.load_ns, measured));           // by started.runtime
//   TRY(job.take(1, started.load_ns, measured));           // measured by started.runtime
//
// A failing process is noted and the others continue; it is an error only if no other process can
// succeed. Every process has an entry in the results, even if it produced no samples, so that the
// i-th processes of several jobs stay partners. Thread rule: one thread. Ownership: borrows model
// and request.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "attribution/attribution.h"
#include "attribution/optimized.h"
#include "measure/collect.h"
#include "measure/gate.h"
#include "measure/material.h"
#include "measure/request.h"
#include "measure/runs.h"
#include "profile/profile.h"
#include "runtime/runtime.h"

namespace ridge::measure {

class Job {
 public:
  /// Prepares the material and measures the overhead of the profiler.
  static Result<Job> begin(const analysis::Resolved& resolved, const Request& request);

  struct Started {
    runtime::Runtime runtime;
    runtime::SessionId session = 0;
    std::int64_t load_ns = 0;  ///< 0: not comparable (ProcessRuns)
  };
  /// Starts a process with the model loaded and its inputs set.
  Result<Started> start(std::uint32_t number);
  /// Stores the measurement of a process, or the error that prevented it.
  Result<void> take(std::uint32_t number, std::int64_t load_ns,
                    Result<runtime::Measurement> measured);

  void show(std::string_view what, std::int64_t done = 0, std::int64_t total = 0) const;
  bool interrupted() const;
  const Request& request() const { return *request_; }
  Host host() const;

  /// Collects the measurements of all processes, in order.
  const std::vector<ProcessRuns>& collect();
  /// Builds the joined tables; `kept`: the pairs that count, by process.
  Result<profile::Profile> finish(const std::vector<Kept>& kept);

 private:
  using Sizes = attribution::CanonicalOptions::Sizes;
  struct FirstProcess {
    runtime::RuntimeInfo info;
    runtime::RuntimeGraph graph;
    bool is_known() const { return !graph.model.empty() || !graph.layers.empty(); }
  };

  Job(const analysis::Resolved& resolved, const Request& request, Material material, EventCost cost)
      : resolved_(&resolved),
        request_(&request),
        material_(std::move(material)),
        cost_(std::move(cost)) {}
  Result<Started> load(std::uint32_t number);
  void note_once(std::string note);
  Result<void> apply_values(const attribution::OptimizedGraph& optimized,
                            const attribution::OptimizedGraph* reference,
                            attribution::Attribution& attribution);
  profile::Subject subject() const;
  std::vector<std::string> notes(bool busy);

  const analysis::Resolved* resolved_;
  const Request* request_;
  Material material_;
  EventCost cost_;
  Sizes sizes_ = Sizes::kStatic;
  FirstProcess first_;
  std::vector<ProcessMeasurement> measured_;  ///< one entry for each process
  bool any_measured_ = false;
  std::vector<std::string> notes_;
  Collected collected_;
};

}  // namespace ridge::measure
