// SPDX-License-Identifier: Apache-2.0
#include "runtime/child/events.h"

#include <utility>

#include "runtime/child/tensor_rows.h"
#include "runtime/sized.h"

namespace ridge::runtime {
void Recorder::begin(Nanos start) {
  start_ns_ = start.count;
  run_ = {};
  waiting_.clear();
}

ProfiledRun Recorder::end() {
  events_ += run_.events.size();
  return std::exchange(run_, {});
}

std::vector<KernelInfo> Recorder::take_new_kernels() { return std::exchange(new_kernels_, {}); }

RidgeProfileSink Recorder::sink() { return {sizeof(RidgeProfileSink), 0, this, on_event}; }

void Recorder::on_event(void* self, const RidgeEvent* event) {
  static_cast<Recorder*>(self)->add(received(*event));
}

std::uint32_t Recorder::kernel_of(const RidgeEvent& event) {
  key_.assign(event.name != nullptr ? event.name : "");
  key_ += '\0';  // nodes without names are distinguished by type
  if (event.type != nullptr) key_ += event.type;
  if (const auto found = kernels_.find(key_); found != kernels_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(kernels_.size());
  kernels_.emplace(key_, number);
  new_kernels_.push_back({text_or_empty(event.name), text_or_empty(event.type),
                          text_or_empty(event.implementation), text_or_empty(event.shapes)});
  return number;
}

std::uint32_t Recorder::queue_of(std::uint64_t queue) {
  return queues_.emplace(queue, static_cast<std::uint32_t>(queues_.size())).first->second;
}

/// Assigns waiting events deeper than `depth` to their owner. With kNone they keep waiting, at the
/// depth of the event that ended, because the executor's own event around a body is not a kernel.
// Example (testing/faulty_plugin.cc), in order of arrival: inner (depth 3, window 10 us), executor
// (a run event, depth 2), outer (depth 1, duration 39 us), model_run (depth 0). inner waits;
// executor is no kernel and lowers the depth of inner to 2; outer is shallower and adopts inner:
// inner.parent = outer, outer.exclusive = 39 - 10 = 29 us.
void Recorder::adopt(std::uint32_t depth, std::uint32_t queue, std::uint32_t owner) {
  std::size_t kept = waiting_.size();
  while (kept > 0 && waiting_[kept - 1].queue == queue && waiting_[kept - 1].depth > depth) --kept;
  if (owner == kNone) {
    for (std::size_t i = kept; i < waiting_.size(); ++i) waiting_[i].depth = depth;
    return;
  }
  for (std::size_t i = kept; i < waiting_.size(); ++i) {
    KernelEvent& inner = run_.events[waiting_[i].event];
    inner.parent = owner;
    run_.events[owner].exclusive_ns -= inner.window_ns;
  }
  waiting_.resize(kept);
}

void Recorder::add(const RidgeEvent& event) {
  const std::uint32_t queue = queue_of(event.queue);
  if (event.level == RIDGE_LEVEL_RUN) {
    if (event.depth == 0) run_.model_run_ns = event.duration_ns;
    return adopt(event.depth, queue, kNone);
  }
  const auto position = static_cast<std::uint32_t>(run_.events.size());
  KernelEvent& added = run_.events.emplace_back();
  added.kernel = kernel_of(event);
  added.queue = queue;
  added.start_ns = event.start_ns - start_ns_;
  added.duration_ns = event.duration_ns;
  added.window_ns = event.stop_ns - event.start_ns;
  added.exclusive_ns = event.duration_ns;
  added.executions = static_cast<std::int64_t>(event.executions);
  added.before_ns = event.before_ns;
  adopt(event.depth, queue, position);
  waiting_.push_back({position, event.depth, queue});
}

}  // namespace ridge::runtime
