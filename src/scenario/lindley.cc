#include "scenario/lindley.h"

#include <algorithm>
#include <functional>

namespace ridge::scenario {

std::int64_t Stalls::done(std::int64_t start_ns, std::int64_t work_ns) const {
  if (period_ns <= 0 || length_ns <= 0) return start_ns + work_ns;
  // In time counted without stalls, work is not interrupted; then the stalls are put back. Work
  // that ends exactly when a stall begins is not delayed by it.
  const std::int64_t working = period_ns - length_ns;
  const std::int64_t at = start_ns % period_ns;
  const std::int64_t begun =
      start_ns / period_ns * working + std::max<std::int64_t>(at - length_ns, 0);
  if (work_ns == 0) return std::max(start_ns, start_ns - at + length_ns);
  const std::int64_t last = begun + work_ns - 1;  // the last nanosecond of work
  return last / working * period_ns + length_ns + last % working + 1;
}

Queue::Queue(int servers, Stalls stalls)
    : stalls_(stalls), free_(static_cast<std::size_t>(std::max(servers, 1))) {}

std::int64_t Queue::start(std::int64_t arrival_ns) const {
  return std::max(arrival_ns, free_.front());
}

std::int64_t Queue::serve(std::int64_t arrival_ns, std::int64_t service_ns) {
  const std::int64_t done = stalls_.done(start(arrival_ns), service_ns);
  if (free_.size() == 1) return free_.front() = done;
  std::pop_heap(free_.begin(), free_.end(), std::greater<>());
  free_.back() = done;
  std::push_heap(free_.begin(), free_.end(), std::greater<>());
  return done;
}

}  // namespace ridge::scenario
