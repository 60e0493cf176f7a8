// The bytes that a schedule moves between memory and the last-level cache, per node and in total.
//
//   Result<Traffic> t = traffic(resolved, {.cache_bytes = 32 << 20, .fuse = Fuse::kEpilogue});
//   t->expected[node]     // what that cache is expected to leave, read and written
//   t->most[node]         // with no cache at all
//
// Nodes run one after the other in file order, a fused group at the place of its last member, from
// an empty cache. A group reads every tensor from outside it once and writes what leaves it.
// - Of a tensor that it reads, a group fetches what is no longer in the cache (tensor_cache.h).
// - What it writes goes to memory as far as it leaves the cache before its last reader has run;
//   outputs of the model go there whole. That is put down to the node that made it.
// - A convolution or pool works its input in bands of rows that fit the cache and reads again what
//   neighbouring bands share (window_rows.h); without a cache every output row is such a band.
// - A node that touches part of an input (Gather, Slice) finds of that part what is there of the
//   whole.
// - A Loop or Scan is walked for its first trip and for one more that stands for all others, which
//   are alike; what it hands from trip to trip goes through memory.
// Writing does not read first: what a cache fetches only to overwrite is not counted.
// Cost: O(nodes + values + edges), about the time that resolving takes; bodies of nested loops are
// walked twice per level up to a budget, then once. Thread rule: pure.
// Errors (input class): more than 2^63 - 1 bytes.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "analysis/fusion.h"
#include "analysis/resolved.h"
#include "base/result.h"

namespace ridge::analysis {

struct TrafficModel {
  std::int64_t cache_bytes = 0;
  Fuse fuse = Fuse::kNone;
};

struct Traffic {
  TrafficModel model;
  /// By node, over all its executions. Unknown where a size is not a known number.
  std::vector<ops::Dim> expected, most;
  std::vector<graph::NodeId> runs_with;  ///< by node: the last of its group, itself if alone

  struct Totals {
    std::int64_t least = 0;  ///< in a boundless cache: inputs and weights once, outputs once
    std::int64_t expected = 0, most = 0;
    std::int64_t peak_activation_bytes = 0;  ///< as in Resolved, under this fusion
    std::int64_t fused = 0;                  ///< nodes that run with another
    bool incomplete = false;                 ///< some node is not known: all are lower bounds
  } totals;
};

Result<Traffic> traffic(const Resolved& resolved, const TrafficModel& model);

}  // namespace ridge::analysis
