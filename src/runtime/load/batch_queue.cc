// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/batch_queue.h"

#include <algorithm>
#include <utility>

namespace ridge::runtime {
namespace {

std::uint32_t clients_of(const scenario::Scenario& s) {
  if (s.kind != scenario::Kind::kClosedLoop) return 0;
  return s.clients > 0 ? s.clients : s.workers;
}

}  // namespace

BatchQueue::BatchQueue(const scenario::Scenario& scenario, QuerySource& source)
    : source_(source),
      batcher_(scenario.batching.value_or(scenario::Batching())),
      clients_(clients_of(scenario)) {}

void BatchQueue::begin(std::int64_t now_ns) {
  last_at_ns_ = now_ns;
  if (clients_ > 0) answer(clients_, now_ns);
}

void BatchQueue::answer(std::size_t clients, std::int64_t now_ns) {
  {
    const std::scoped_lock lock(asking_);
    asked_.insert(asked_.end(), clients, now_ns);
  }
  news_.fetch_add(1, std::memory_order_release);
}

void BatchQueue::draw_of_clients() {
  std::vector<std::int64_t> asked;
  {
    const std::scoped_lock lock(asking_);
    asked.swap(asked_);
  }
  std::ranges::sort(asked);
  for (const std::int64_t due_ns : asked) {
    const std::optional<Due> due = source_.draw(due_ns);
    ended_ |= !due;
    // Another worker may have been done earlier, and said so later.
    if (due) pending_.insert(std::ranges::upper_bound(pending_, due_ns, {}, &Due::due_ns), *due);
  }
}

void BatchQueue::draw_scheduled(std::int64_t free_ns) {
  while (!ended_ && pending_.size() < batcher_.most()) {
    const std::optional<Due> due = source_.draw(free_ns);
    ended_ = !due;
    if (due) pending_.push_back(*due);
  }
}

std::optional<scenario::Batch> BatchQueue::plan(std::int64_t free_ns) {
  free_ns = std::max(free_ns, last_at_ns_);
  if (source_.out_of_time(free_ns)) {
    if (!std::exchange(ended_, true)) abandoned_ = source_.abandon(pending_.size());
    pending_.clear();
  }
  if (clients_ > 0)
    draw_of_clients();
  else
    draw_scheduled(free_ns);
  if (pending_.empty()) return std::nullopt;
  due_times_.clear();
  for (const Due& due : pending_) due_times_.push_back(due.due_ns);
  return batcher_.close(due_times_, free_ns);
}

void BatchQueue::take(const scenario::Batch& batch, std::vector<Due>& out) {
  const auto end = pending_.begin() + batch.queries;
  out.assign(pending_.begin(), end);
  pending_.erase(pending_.begin(), end);
  last_at_ns_ = batch.at_ns;
}

}  // namespace ridge::runtime
