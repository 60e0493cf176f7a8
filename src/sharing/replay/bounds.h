// SPDX-License-Identifier: Apache-2.0
// How many hits of a trace any policy can have that loads on demand.
//
//   const HitBounds bounds = HitBounder(trace, sizes, LoopKind::kOpen).within(memory);
//   // bounds.at_least <= optimum <= bounds.at_most
//
// A hit needs its model in memory ever since the request for it before: an interval of requests
// that occupies the model's bytes. The optimum is the largest number of intervals whose bytes fit
// into memory at every request (Berger, Beckmann, Harchol-Balter, "Practical Bounds on Optimal
// Caching with Variable Object Sizes", POMACS 2(2), 2018); loads take no time, and a request may
// pass memory by. What a policy of the simulator reaches, without pre-warming, is a choice of such
// intervals, whatever its leases and loads forbid it.
//
// - Upper bound, PFOO-L (section 4.3 there): memory need not fit at every request, but on average.
//   Then the intervals with the least bytes x length are the best. Length counts in requests, and
//   in an open loop in time, too: the smaller of both is the bound.
// - Lower bound: the same order, but an interval is taken only if it fits beside those taken
//   before. It is feasible, as PFOO-U is, which solves a flow for each part of the trace instead.
//   Looked for up to kMostScheduled requests.
// - The optimum itself where all subsets of the models can be tried: kMostTried.
//
//       requests  A B A C B A        intervals: A 0-2, A 2-5, B 1-4
//       bytes     A 2, B 3, C 1      memory 4: A 0-2 and A 2-5 fit, B 1-4 does not beside them
//
// Ownership: borrows the trace. Thread rule: const functions from several threads. Cost: O(n log n)
// for the trace and for each budget; 48 bytes for each request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"
#include "sharing/record/replay.h"
#include "sharing/replay/trace.h"

namespace ridge::sharing {

/// Times of the trace count, or only the order of its requests.
enum class LoopKind : std::uint8_t { kOpen, kClosed };

class HitBounder {
 public:
  static constexpr std::size_t kMostScheduled = std::size_t{1} << 20;
  /// Subsets of the models x requests.
  static constexpr std::uint64_t kMostTried = std::uint64_t{1} << 27;
  static constexpr std::size_t kMostSubsetModels = 16;

  /// `sizes`: bytes of each model of the trace, each above 0.
  HitBounder(const Trace& trace, std::span<const Bytes> sizes, LoopKind loop);

  HitBounds within(Bytes memory) const;

  std::uint64_t relaxed(Bytes memory) const;    ///< the upper bound
  std::uint64_t scheduled(Bytes memory) const;  ///< the lower bound
  std::uint64_t optimum(Bytes memory) const;    ///< for few models

 private:
  __extension__ using Area = unsigned __int128;
  struct Interval {
    std::uint64_t area;  ///< bytes x requests
    std::uint32_t begin, end;
    std::uint32_t model;
  };

  const Trace& trace_;
  std::vector<Bytes> sizes_;
  std::vector<Interval> intervals_;  ///< ascending by area
  std::vector<Interval> timed_;      ///< ascending by bytes x time, of an open loop
  std::size_t models_used_ = 0;
};

}  // namespace ridge::sharing
