// SPDX-License-Identifier: Apache-2.0
#include "scenario/batching.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::scenario {
namespace {

constexpr Nanos kLongestWait{60'000'000'000};

Error refused_batching(std::string message) {
  return usage_error("RIDGE-SCEN-0102", std::move(message))
      .hint("for example max=8,wait=2ms or max=8,wait=2ms,sizes=1/2/4/8");
}

}  // namespace

std::vector<std::uint32_t> sizes_of(const Batching& batching) {
  if (!batching.sizes.empty()) return batching.sizes;
  std::vector<std::uint32_t> out;
  for (std::uint32_t size = 1; size < batching.most; size *= 2) out.push_back(size);
  out.push_back(batching.most);
  return out;
}

Result<void> check(const Batching& b) {
  if (b.most == 0 || b.most > kMaxInBatch)
    return refused_batching(fmt::format("a batch has 1 to {} queries", kMaxInBatch));
  if (b.wait.count < 0 || b.wait > kLongestWait)
    return refused_batching("a query waits at most 60 s for others of its batch");
  if (b.sizes.empty()) return {};
  const bool ascend = std::ranges::adjacent_find(b.sizes, std::greater_equal<>()) == b.sizes.end();
  if (b.sizes.front() == 0 || !ascend || b.sizes.back() != b.most)
    return refused_batching(
        fmt::format("the sizes of batches ascend, and the last is the largest, {}", b.most));
  return {};
}

Batch Batcher::close(std::span<const std::int64_t> due_times, std::int64_t free_ns) const {
  std::int64_t at = due_times[0] + batching_.wait.count;
  if (due_times.size() >= batching_.most) at = std::min(at, due_times[batching_.most - 1]);
  at = std::max(at, free_ns);
  std::uint32_t due = 1;
  while (due < batching_.most && due < due_times.size() && due_times[due] <= at) ++due;
  const auto above = std::ranges::upper_bound(sizes_, due);
  if (above == sizes_.begin()) return {at, due, sizes_.front()};
  return {at, *(above - 1), *(above - 1)};
}

}  // namespace ridge::scenario
