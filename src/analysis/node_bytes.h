// SPDX-License-Identifier: Apache-2.0
// Bytes that one execution of a node reads from each input and writes to each output.
//
// By definition each distinct input is read entirely, except experts that no token chooses and rows
// of a table that no position names (Resolved::part_read). If the operator's traffic rule counts
// fewer bytes, the difference is subtracted from input 0, or, if input 0 is smaller than the
// difference, from the largest inputs. Sliding windows read rows in bands (window_rows.h).
// Cost: O(inputs + outputs) per node, 8 bytes per value, normally no allocation per node.
// Thread safety: one thread; a span is valid until the next call of the same function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

/// Bytes of a tensor as stored; nullopt if a size is not a known number.
std::optional<std::int64_t> value_bytes(const Resolved& resolved, graph::ValueId v);

/// Returns part * of / whole rounded down, for 0 <= part <= whole; 0 if `whole` is 0.
std::int64_t proportion(std::int64_t part, std::int64_t of, std::int64_t whole);

struct NodeRead {
  graph::ValueId value = graph::kNone;
  std::int64_t size = 0;           ///< bytes of the tensor
  std::int64_t touched = 0;        ///< distinct bytes that are read
  std::int64_t again = 0;          ///< bytes read again because the cache could not hold them
  std::int64_t again_at_most = 0;  ///< bytes read again without any cache
};

struct NodeWrite {
  graph::ValueId value = graph::kNone;
  std::int64_t size = 0, bytes = 0;  ///< bytes of the tensor; bytes of it that are written
};

class NodeBytes {
 public:
  NodeBytes(const Resolved& resolved, std::int64_t cache_bytes)
      : r_(resolved), cache_(cache_bytes) {}

  /// True if every relevant size is a known number. If false, the spans cover the known part.
  bool known(graph::NodeId n) const;
  /// Returns each distinct input once, in order; empty for a node that moves nothing (a view).
  std::span<const NodeRead> reads(graph::NodeId n);
  std::span<const NodeWrite> writes(graph::NodeId n);

 private:
  bool moves(graph::NodeId n) const;
  std::optional<std::int64_t> once(ops::Dim figure, graph::NodeId n) const;
  void leave_out(std::int64_t bytes);
  void slide_window(graph::NodeId node);

  const Resolved& r_;
  std::int64_t cache_;
  std::vector<std::int64_t> seen_;  // by value: last visit that read it
  std::int64_t visits_ = 0;
  std::vector<NodeRead> reads_;
  std::vector<NodeWrite> writes_;
};

}  // namespace ridge::analysis
