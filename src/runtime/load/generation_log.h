// SPDX-License-Identifier: Apache-2.0
// The record of requests and steps in memory that ridge and the runtime's process share: what was
// done is there even if the process crashes in the next step.
//
//   GenerationLog log = TRY(GenerationLog::make(plan));        // in ridge
//   GenerationLog seen = TRY(GenerationLog::map(plan, fd));    // in the child
//   seen.begin(request, scheduled_ns, issued_ns);   seen.add(request, step);
//   std::vector<RequestRecord> all = log.requests();           // those that began
//
// Every request has room for its steps, which its plan knows. Cost: 32 bytes a step. Thread rule:
// a request belongs to one thread; the log may be read at any time. Errors: usage class
// (RIDGE-RT-0061) for more than kMaxSteps. The other process may have corrupted the memory: counts
// are bounded on reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ipc/descriptor.h"
#include "runtime/generation.h"

namespace ridge::runtime {

class GenerationLog {
 public:
  static constexpr std::int64_t kMaxSteps = std::int64_t{1} << 24;

  static Result<GenerationLog> make(const GenerationPlan& plan);
  static Result<GenerationLog> map(const GenerationPlan& plan, int descriptor);

  void begin(std::uint32_t request, std::int64_t scheduled_ns, std::int64_t issued_ns);
  void add(std::uint32_t request, const StepRecord& step);
  void fail(std::uint32_t request);

  /// Requests that began, in the order of the plan.
  std::vector<RequestRecord> requests() const;

  const ipc::Descriptor& descriptor() const { return descriptor_; }

 private:
  struct Entry;
  static Result<GenerationLog> layout(const GenerationPlan& plan);
  Entry& entry(std::uint32_t request) const;

  ipc::Descriptor descriptor_;  // not open in the child
  ipc::Mapping memory_;
  std::vector<std::int64_t> first_;  // step of each request, and the number of all
};

/// Steps that a request takes.
std::int64_t steps_of(const TokenRequest& request, PromptBy by);

}  // namespace ridge::runtime
