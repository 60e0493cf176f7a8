// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/bounds.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <tuple>

namespace ridge::sharing {
namespace {

constexpr std::uint32_t kNotSeen = std::numeric_limits<std::uint32_t>::max();

/// Bytes in use between requests: adds to a range, and finds the most in it. A segment tree whose
/// inner nodes keep what was added to all below them.
class UseTree {
 public:
  explicit UseTree(std::size_t places)
      : leaves_(std::bit_ceil(std::max<std::size_t>(places, 1))),
        most_(2 * leaves_),
        added_(2 * leaves_) {}

  std::int64_t most(std::size_t begin, std::size_t end) const {
    return most(1, {0, leaves_}, {begin, end});
  }
  void add(std::size_t begin, std::size_t end, std::int64_t bytes) {
    add(1, {0, leaves_}, {begin, end}, bytes);
  }

 private:
  struct Range {
    std::size_t begin, end;
    std::size_t middle() const { return (begin + end) / 2; }
    bool contains(const Range& other) const { return begin <= other.begin && other.end <= end; }
    bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
  };

  // Recursed as deep as the tree: at most 21 levels for HitBounder::kMostScheduled.
  std::int64_t most(std::size_t node, const Range& of, const Range& asked) const {
    if (!asked.meets(of)) return 0;
    if (asked.contains(of)) return most_[node];
    return added_[node] + std::max(most(2 * node, {of.begin, of.middle()}, asked),
                                   most(2 * node + 1, {of.middle(), of.end}, asked));
  }
  void add(std::size_t node, const Range& of, const Range& to, std::int64_t bytes) {
    if (!to.meets(of)) return;
    if (to.contains(of)) {
      most_[node] += bytes;
      added_[node] += bytes;
      return;
    }
    add(2 * node, {of.begin, of.middle()}, to, bytes);
    add(2 * node + 1, {of.middle(), of.end}, to, bytes);
    most_[node] = added_[node] + std::max(most_[2 * node], most_[2 * node + 1]);
  }

  std::size_t leaves_;
  std::vector<std::int64_t> most_, added_;
};

}  // namespace

HitBounder::HitBounder(const Trace& trace, std::span<const Bytes> sizes, LoopKind loop)
    : trace_(trace), sizes_(sizes.begin(), sizes.end()) {
  std::vector<std::uint32_t> last(sizes_.size(), kNotSeen);
  for (std::uint32_t i = 0; i < trace.requests.size(); ++i) {
    const std::uint32_t model = trace.requests[i].model;
    if (last[model] == kNotSeen)
      ++models_used_;
    else
      intervals_.push_back({static_cast<std::uint64_t>(sizes_[model].count) * (i - last[model]),
                            last[model], i, model});
    last[model] = i;
  }
  if (loop == LoopKind::kOpen) timed_ = intervals_;
  std::ranges::sort(intervals_, [](const Interval& a, const Interval& b) {
    return std::tie(a.area, a.begin) < std::tie(b.area, b.begin);
  });
  const auto area = [&](const Interval& i) {
    const std::int64_t length = trace.requests[i.end].at_ns - trace.requests[i.begin].at_ns;
    return static_cast<Area>(sizes_[i.model].count) * static_cast<Area>(length);
  };
  std::ranges::sort(timed_, {}, area);
}

std::uint64_t HitBounder::relaxed(Bytes memory) const {
  if (trace_.requests.empty()) return 0;
  const auto budget = static_cast<Area>(memory.count);
  const auto taken = [&](const std::vector<Interval>& ascending, Area capacity, auto area) {
    std::uint64_t hits = 0;
    for (const Interval& i : ascending) {
      if (sizes_[i.model] > memory) continue;
      const Area needed = area(i);
      if (needed > capacity) break;
      capacity -= needed;
      ++hits;
    }
    return hits;
  };
  const std::uint64_t by_requests =
      taken(intervals_, budget * (trace_.requests.size() - 1),
            [](const Interval& i) { return static_cast<Area>(i.area); });
  if (timed_.empty()) return by_requests;
  const auto between = [&](std::size_t begin, std::size_t end) {
    return static_cast<Area>(trace_.requests[end].at_ns - trace_.requests[begin].at_ns);
  };
  const std::uint64_t by_time =
      taken(timed_, budget * between(0, trace_.requests.size() - 1), [&](const Interval& i) {
        return static_cast<Area>(sizes_[i.model].count) * between(i.begin, i.end);
      });
  return std::min(by_requests, by_time);
}

std::uint64_t HitBounder::scheduled(Bytes memory) const {
  UseTree use(trace_.requests.size());
  std::uint64_t hits = 0;
  for (const Interval& i : intervals_) {
    const Bytes size = sizes_[i.model];
    if (size > memory || use.most(i.begin, i.end) > memory.count - size.count) continue;
    use.add(i.begin, i.end, size.count);
    ++hits;
  }
  return hits;
}

// best[s]: most hits so far of any history after which at least the models of subset s are in
// memory. A request for m: with m in memory it hits and m may stay or go; without, it may come in.
// Either way the rest s is the same, so best[s] and best[s + m] become the better of
// best[s + m] + 1 and best[s].
std::uint64_t HitBounder::optimum(Bytes memory) const {
  constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::min() / 2;
  std::vector<std::uint32_t> bit(sizes_.size(), kNotSeen);
  std::vector<Bytes> sizes;
  for (const Request& request : trace_.requests)
    if (bit[request.model] == kNotSeen) {
      bit[request.model] = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(sizes_[request.model]);
    }
  std::vector<std::uint8_t> fits(std::size_t{1} << sizes.size());
  for (std::size_t subset = 0; subset < fits.size(); ++subset) {
    Bytes bytes{0};
    for (std::size_t m = 0; m < sizes.size(); ++m)
      if ((subset >> m & 1) != 0) bytes += sizes[m];
    fits[subset] = bytes <= memory ? 1 : 0;
  }
  std::vector<std::int64_t> best(fits.size(), kUnreached);
  best[0] = 0;  // nothing is in memory before the first request
  for (const Request& request : trace_.requests) {
    const std::size_t model = std::size_t{1} << bit[request.model];
    for (std::size_t rest = 0; rest < best.size(); ++rest) {
      if ((rest & model) != 0 || fits[rest | model] == 0) continue;
      best[rest] = best[rest | model] = std::max(best[rest | model] + 1, best[rest]);
    }
  }
  return static_cast<std::uint64_t>(best[0]);
}

HitBounds HitBounder::within(Bytes memory) const {
  if (models_used_ <= kMostSubsetModels && trace_.requests.size() << models_used_ <= kMostTried) {
    const std::uint64_t hits = optimum(memory);
    return {.at_most = hits, .at_least = hits, .exact = true};
  }
  HitBounds out{.at_most = relaxed(memory), .at_least = std::nullopt, .exact = false};
  if (trace_.requests.size() <= kMostScheduled) out.at_least = scheduled(memory);
  return out;
}

}  // namespace ridge::sharing
