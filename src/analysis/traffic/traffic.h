// SPDX-License-Identifier: Apache-2.0
// Bytes that a schedule moves between memory and the last-level cache, per node and in total.
//
//   Result<Traffic> t = traffic(resolved, {.cache_bytes = 32 << 20, .fuse = Fuse::kEpilogue});
//   t->expected[node]     // expected bytes read and written with that cache
//   t->most[node]         // without any cache
//
// Nodes run one after the other in file order, a fused group at the position of its last member,
// starting with an empty cache. A group reads every tensor from outside it once and writes the
// tensors that leave it.
// - Of a tensor that it reads, a group fetches the part that is no longer cached (tensor_cache.h).
// - Of a tensor that it writes, the part that is evicted before the last reader has run goes to
//   memory; outputs of the model go there entirely. Writes are charged to the producer.
// - A convolution or pooling processes its input in bands of rows that fit the cache and reads the
//   overlap of neighboring bands twice (window_rows.h); without a cache a band is one output row.
// - A node that accesses part of an input (Gather, Slice) finds the same fraction of that part
//   cached as of the whole tensor.
// - A Loop or Scan is simulated for its first trip and for one more that represents all others,
//   which are alike; carried values go through memory.
// A write does not read first: write-allocate fetches are not counted.
// Cost: O(nodes + values + edges), about the time of resolve(); bodies of nested loops are visited
// twice per level up to a budget, then once. Thread safety: pure.
// Errors (input class): more than 2^63 - 1 bytes.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"
#include "base/result.h"

namespace ridge::analysis {

struct TrafficModel {
  std::int64_t cache_bytes = 0;
  Fuse fuse = Fuse::kNone;
};

struct Traffic {
  TrafficModel model;
  /// By node, over all its executions. Unknown if a size is not a known number.
  std::vector<ops::Dim> expected, most;
  std::vector<graph::NodeId> runs_with;  ///< by node: last node of its group, itself if alone

  struct Totals {
    std::int64_t least = 0;  ///< with an infinite cache: inputs and weights once, outputs once
    std::int64_t expected = 0, most = 0;
    std::int64_t peak_activation_bytes = 0;  ///< as in Resolved, with this fusion
    std::int64_t fused = 0;                  ///< nodes that run with another node
    bool incomplete = false;                 ///< some node is unknown: all totals are lower bounds
  } totals;
};

Result<Traffic> traffic(const Resolved& resolved, const TrafficModel& model);

}  // namespace ridge::analysis
