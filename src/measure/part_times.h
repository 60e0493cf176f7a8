// SPDX-License-Identifier: Apache-2.0
// Times of parts of a model on their own: each part in a model and process of its own, without the
// profiler, in turns with the whole model.
//
//   PartBench bench(resolved, request);
//   std::vector<PartTimes> times = TRY(bench.in_turns(plan.cuts));
//   PartTimes cold = TRY(bench.behind_whole(plan.cuts[2]));
//
// in_turns: the n-th processes of all parts and of the whole model are alive together; in a round
// each runs twice and the second run counts, so that a part finds the caches as its own runs leave
// them. behind_whole: part and whole model share one process, and each run of the part follows one
// of the whole model, so that it finds the caches as the whole model leaves them.
//
// A part that the runtime refuses only ends its own measurement. Errors: as for the whole model.
// Ctrl-C keeps the results so far. Thread rule: one thread. Ownership: borrows model and request.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/cut_plan.h"
#include "measure/material.h"
#include "measure/request.h"
#include "runtime/runtime.h"

namespace ridge::measure {

/// Kernel of a part, as reported in its profiled runs.
struct PartKernel {
  std::string name, type;
  double reported_ns = 0;  ///< median over runs of the total over its executions
  double executions = 0;   ///< per run
};

struct PartTimes {
  /// By process; the i-th runs of both are from the same round.
  std::vector<std::vector<double>> whole_ns, part_ns;
  std::vector<PartKernel> kernels;  ///< in execution order; from in_turns() only
  std::string failure;              ///< why there are no times
};

class PartBench {
 public:
  PartBench(const analysis::Resolved& resolved, const Request& request)
      : resolved_(resolved), request_(request) {}

  /// Returns times by position in `cuts`.
  Result<std::vector<PartTimes>> in_turns(std::span<const PlannedCut> cuts);
  Result<PartTimes> behind_whole(const PlannedCut& cut);

 private:
  struct Started {
    runtime::Runtime runtime;
    runtime::SessionId session = 0;
  };
  struct Part {
    attribution::Canonical copy;
    std::vector<runtime::Weight> weights;
  };

  Result<void> prepare_whole();
  Result<Part> part_of(const PlannedCut& cut) const;
  Result<runtime::SessionId> load(runtime::Runtime& runtime, const attribution::Canonical& copy,
                                  const std::vector<runtime::Weight>& weights) const;
  Result<Started> start(const attribution::Canonical& copy,
                        const std::vector<runtime::Weight>& weights) const;
  Result<void> take_turns(std::uint32_t number, const std::vector<Part>& parts,
                          std::vector<PartTimes>& out);
  Result<void> follow(const Part& part, PartTimes& out) const;
  void show(std::uint32_t number, std::string_view what, std::int64_t done = 0,
            std::int64_t total = 0) const;
  bool interrupted() const;

  const analysis::Resolved& resolved_;
  const Request& request_;
  std::optional<Material> whole_;
};

}  // namespace ridge::measure
