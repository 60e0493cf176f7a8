// SPDX-License-Identifier: Apache-2.0
// A batching queue as a plain simulation from event to event: the oracle of batching.h and of the
// load generator. It follows the description of the policy, and shares no arithmetic with either.
//
//   for (const ServedBatch& b : serve_in_batches(arrivals, batching, 1, done)) b.done_ns;
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "scenario/batching.h"

namespace ridge::scenario::testing {

struct ServedBatch {
  std::int64_t at_ns = 0, done_ns = 0;
  std::uint32_t queries = 0;
  bool operator==(const ServedBatch&) const = default;
};

/// When the n-th batch is done, of so many queries, that begins at `at_ns`.
using DoneOf =
    std::function<std::int64_t(std::size_t batch, std::uint32_t queries, std::int64_t at_ns)>;

/// The largest size that so many queries fill; fewer than the smallest size run together.
inline std::uint32_t filled(const Batching& batching, std::size_t waiting) {
  std::optional<std::uint32_t> best;
  for (const std::uint32_t size : sizes_of(batching))
    if (size <= waiting) best = size;
  return best.value_or(static_cast<std::uint32_t>(waiting));
}

/// Batches in the order in which they begin; of several workers the one that is free first takes the
/// next, and batches are formed one after the other.
inline std::vector<ServedBatch> serve_in_batches(std::span<const std::int64_t> arrivals,
                                                 const Batching& batching, int workers,
                                                 const DoneOf& done, std::int64_t begin_ns = 0) {
  std::vector<std::int64_t> free(static_cast<std::size_t>(workers), begin_ns);
  std::deque<std::int64_t> waiting;
  std::vector<ServedBatch> out;
  std::size_t next = 0;
  std::int64_t now = begin_ns;
  while (next < arrivals.size() || !waiting.empty()) {
    const auto worker = std::ranges::min_element(free);
    now = std::max(now, *worker);
    for (;;) {
      while (next < arrivals.size() && arrivals[next] <= now) waiting.push_back(arrivals[next++]);
      const bool patient = !waiting.empty() && now < waiting.front() + batching.wait.count;
      if (waiting.size() >= batching.most || (!waiting.empty() && !patient)) break;
      const std::int64_t given_up =
          waiting.empty() ? INT64_MAX : waiting.front() + batching.wait.count;
      now = next < arrivals.size() ? std::min(given_up, arrivals[next]) : given_up;
    }
    const std::uint32_t queries =
        filled(batching, std::min<std::size_t>(waiting.size(), batching.most));
    waiting.erase(waiting.begin(), waiting.begin() + queries);
    *worker = done(out.size(), queries, now);
    out.push_back({now, *worker, queries});
  }
  return out;
}

}  // namespace ridge::scenario::testing
