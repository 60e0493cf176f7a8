// SPDX-License-Identifier: Apache-2.0
// Cost of nodes that only move data where memory allows views and partial writes: Concat, Split,
// Slice, Gather of one place, Expand, Transpose, and updates of a cache (Concat, ScatterND,
// ScatterElements, TensorScatter).
//
//   const Moves moves(resolved, fusion);
//   moves.of(node).kind       // Move::kView
//   moves.of(node).written    // elements that it still writes
//
// Tensors lie row by row, the last axis innermost. Rules, by operator:
// - A part of a tensor is a *view* if it is contiguous: whole axes inside the outermost axis of
//   more than one element. So is a Transpose that only moves axes of one element.
// - Inputs of a Concat along the outermost axis of more than one element are written *in place*, if
//   they are made by nodes of the same graph and have no other place. A tensor that already lies
//   where the Concat needs it stays there, so the Concats of a dense block share one memory.
// - A Concat that returns a graph input with rows appended (a cache), along any axis, and a Scatter
//   into one, *append*: the memory has room, and only the new rows are written.
// - Expand is a *broadcast*: its readers read the input's elements. Matrix products of one batch
//   that share an expanded operand are one product (lowering.h).
// - Parts, transposes and their reshapes that only matrix products read are *read by strides*, if
//   the innermost stored axis stays in the rows or columns of the matrices. A Transpose of a
//   product's result that keeps the innermost axis is *written by strides*.
// Other moves, what the graph returns, and constants and inputs in a Concat are copied. Nodes that
// are fused with others (fusion.h) have no move of their own.
// Thread rule: const after construction. Cost: O(nodes + edges, log).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"
#include "analysis/traffic/storage.h"
#include "base/words.h"

namespace ridge::accelerator {

enum class Move : std::uint8_t {
  kNone,  ///< the node does more than move data, or is fused with others
  kCopy,
  kView,
  kInPlace,
  kPart,  ///< a part is copied, the rest is not
  kAppend,
  kBroadcast,
  kStridedRead,
  kStridedWrite
};

}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::Move> {
  using E = accelerator::Move;
  static constexpr std::array list{Word{E::kCopy, "copy"},
                                   Word{E::kView, "view"},
                                   Word{E::kInPlace, "in place"},
                                   Word{E::kPart, "part"},
                                   Word{E::kAppend, "append"},
                                   Word{E::kBroadcast, "broadcast"},
                                   Word{E::kStridedRead, "strided read"},
                                   Word{E::kStridedWrite, "strided write"}};
};

}  // namespace ridge

namespace ridge::accelerator {

/// "" for kNone.
inline std::string_view name(Move move) { return word(move); }

struct NodeMove {
  Move kind = Move::kNone;
  std::int64_t read = 0, written = 0;  ///< elements per execution; for kCopy: see NodeBytes
  std::string_view reason;             ///< why data is copied
};

/// Repetition of the elements behind a broadcast value.
struct Broadcast {
  std::int64_t elements = 0;  ///< distinct ones; 0: not broadcast
  std::int64_t copies = 1;
  std::int64_t inner = 0;  ///< elements inside the innermost axis that is repeated; 0: not known
};

class Moves {
 public:
  Moves(const analysis::Resolved& resolved, const analysis::Fusion& fusion);

  const NodeMove& of(graph::NodeId n) const { return moves_[n]; }
  /// Distinct elements behind a broadcast value; nullopt for others.
  std::optional<std::int64_t> behind(graph::ValueId v) const;
  /// Number of matrices of `elements`, the last two axes of `v`, that a broadcast makes of one; 1
  /// if `v` is not broadcast, or inside its matrices.
  std::int64_t copies_of_matrix(graph::ValueId v, std::int64_t elements) const;
  const analysis::Storage& storage() const { return storage_; }

 private:
  analysis::Storage storage_;
  std::vector<NodeMove> moves_;
  std::vector<Broadcast> broadcasts_;  ///< by home
};

}  // namespace ridge::accelerator
