// What one execution of one node reads of its inputs and writes of its outputs.
//
// By the definition each distinct input is read whole; where the operator's rule says less, the
// rest is left out of input 0, or where that is smaller than what is left out, of the largest
// inputs. Windows read rows in bands (window_rows.h).
// Cost: O(inputs + outputs) per node, 8 bytes per value, nothing allocated per node as a rule.
// Thread rule: one thread; a span is valid until the next call of the same kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

/// Bytes of a tensor as stored; nullopt where a size is not a known number.
std::optional<std::int64_t> value_bytes(const Resolved& resolved, graph::ValueId v);

/// part * of / whole rounded down, 0 <= part <= whole; 0 where whole is.
std::int64_t proportion(std::int64_t part, std::int64_t of, std::int64_t whole);

struct NodeRead {
  graph::ValueId value = graph::kNone;
  std::int64_t size = 0;           ///< of the tensor
  std::int64_t touched = 0;        ///< different bytes of it
  std::int64_t again = 0;          ///< read once more because the cache could not hold them
  std::int64_t again_at_most = 0;  ///< the same without a cache
};

struct NodeWrite {
  graph::ValueId value = graph::kNone;
  std::int64_t size = 0, bytes = 0;  ///< of the tensor, and how much of it is written
};

class NodeBytes {
 public:
  NodeBytes(const Resolved& resolved, std::int64_t cache_bytes)
      : r_(resolved), cache_(cache_bytes) {}

  /// Every size that matters is a known number. Where not, what is known is still in the spans.
  bool known(graph::NodeId n) const;
  /// Each distinct input once, in order; nothing of a node that moves nothing (views).
  std::span<const NodeRead> reads(graph::NodeId n);
  std::span<const NodeWrite> writes(graph::NodeId n);

 private:
  bool moves(graph::NodeId n) const;
  std::optional<std::int64_t> once(ops::Dim figure, graph::NodeId n) const;
  void leave_out(std::int64_t bytes);
  void slide_window(graph::NodeId node);

  const Resolved& r_;
  std::int64_t cache_;
  std::vector<std::int64_t> seen_;  // by value: the last visit that read it
  std::int64_t visits_ = 0;
  std::vector<NodeRead> reads_;
  std::vector<NodeWrite> writes_;
};

}  // namespace ridge::analysis
