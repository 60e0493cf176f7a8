// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/generation_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "stats/random.h"

namespace ridge::runtime {

/// Head of a request, in front of all steps.
struct GenerationLog::Entry {
  std::int64_t scheduled_ns, issued_ns;
  std::atomic<std::uint32_t> begun, steps, failed;
};

std::vector<std::int64_t> prompt_ids(const GenerationPlan& plan, std::uint32_t request,
                                     std::uint32_t sequence) {
  stats::Random random(plan.seed * 1'000'003 + request * std::uint64_t{plan.batch} + sequence);
  std::vector<std::int64_t> out(plan.requests[request].prompt);
  for (std::int64_t& id : out)
    id = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(plan.vocabulary)));
  return out;
}

std::int64_t steps_of(const TokenRequest& request, PromptBy by) {
  const std::int64_t first = by == PromptBy::kTokenByToken ? request.prompt : 1;
  return first + request.tokens - 1;
}

Result<GenerationLog> GenerationLog::layout(const GenerationPlan& plan) {
  GenerationLog out;
  std::int64_t steps = 0;
  for (const TokenRequest& request : plan.requests) {
    out.first_.push_back(steps);
    steps += steps_of(request, plan.prompt_by);
    if (steps > kMaxSteps)
      return usage_error("RIDGE-RT-0061",
                         fmt::format("the requests take more than {} steps", kMaxSteps))
          .hint("fewer requests, or shorter ones");
  }
  out.first_.push_back(steps);
  return out;
}

Result<GenerationLog> GenerationLog::make(const GenerationPlan& plan) {
  GenerationLog out = TRY(layout(plan));
  const std::size_t bytes = plan.requests.size() * sizeof(Entry) +
                            static_cast<std::size_t>(out.first_.back()) * sizeof(StepRecord);
  ipc::SharedMemory memory = TRY(ipc::SharedMemory::make(bytes));
  out.descriptor_ = std::move(memory.descriptor);
  out.memory_ = std::move(memory.mapping);
  return out;
}

Result<GenerationLog> GenerationLog::map(const GenerationPlan& plan, int descriptor) {
  GenerationLog out = TRY(layout(plan));
  const std::size_t bytes = plan.requests.size() * sizeof(Entry) +
                            static_cast<std::size_t>(out.first_.back()) * sizeof(StepRecord);
  out.memory_ = TRY(ipc::Mapping::map(descriptor, bytes, ipc::Mapping::Access::kReadWrite));
  return out;
}

GenerationLog::Entry& GenerationLog::entry(std::uint32_t request) const {
  return reinterpret_cast<Entry*>(memory_.bytes().data())[request];
}

void GenerationLog::begin(std::uint32_t request, std::int64_t scheduled_ns,
                          std::int64_t issued_ns) {
  Entry& head = entry(request);
  head.scheduled_ns = scheduled_ns;
  head.issued_ns = issued_ns;
  head.begun.store(1, std::memory_order_release);
}

void GenerationLog::add(std::uint32_t request, const StepRecord& step) {
  Entry& head = entry(request);
  const std::uint32_t at = head.steps.load(std::memory_order_relaxed);
  if (first_[request] + at >= first_[request + 1]) return;
  const std::size_t heads = (first_.size() - 1) * sizeof(Entry);
  const std::size_t index = static_cast<std::size_t>(first_[request]) + at;
  std::memcpy(memory_.bytes().data() + heads + index * sizeof(StepRecord), &step, sizeof(step));
  head.steps.store(at + 1, std::memory_order_release);
}

void GenerationLog::fail(std::uint32_t request) { entry(request).failed.store(1); }

std::vector<RequestRecord> GenerationLog::requests() const {
  std::vector<RequestRecord> out;
  const std::size_t heads = (first_.size() - 1) * sizeof(Entry);
  for (std::uint32_t i = 0; i + 1 < first_.size(); ++i) {
    const Entry& head = entry(i);
    if (head.begun.load(std::memory_order_acquire) == 0) continue;
    const std::int64_t steps = std::min<std::int64_t>(head.steps.load(std::memory_order_acquire),
                                                      first_[i + 1] - first_[i]);
    RequestRecord& record = out.emplace_back(
        RequestRecord{head.scheduled_ns, head.issued_ns, i, head.failed.load(), {}});
    record.steps.resize(static_cast<std::size_t>(steps));
    if (steps > 0)
      std::memcpy(
          record.steps.data(),
          memory_.bytes().data() + heads + static_cast<std::size_t>(first_[i]) * sizeof(StepRecord),
          record.steps.size() * sizeof(StepRecord));
  }
  return out;
}

}  // namespace ridge::runtime
