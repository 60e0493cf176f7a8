// SPDX-License-Identifier: Apache-2.0
// Tensors that are read or written by strides: without a copy in another order.
//
// Rules: moves.h.
// Thread rule: const after construction. Cost: O(nodes + edges).
#pragma once

#include <optional>
#include <vector>

#include "accelerator/form.h"
#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"
#include "analysis/traffic/storage.h"

namespace ridge::accelerator {

/// Axis of a tensor of `rank`, from 0; nullopt if there is none.
std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank);
/// Order of the input's axes in a Transpose's output.
std::optional<std::vector<std::size_t>> permutation(const Form& f, std::size_t rank);

/// Part of a tensor that a Split, a Slice or a Gather of one known index takes.
struct Part {
  Sizes start;        ///< by axis of the input; empty: not known
  Sizes size;         ///< by axis of the input
  bool dense = true;  ///< every element between the first and the last of an axis

  /// True if the part is contiguous in a tensor of these sizes, row by row.
  bool contiguous(const Sizes& whole) const;
  /// Index of its first element; -1 if not known.
  std::int64_t offset(const Sizes& whole) const;
};
/// Part in output `i`; nullopt if the node takes none.
std::optional<Part> part_of(const Form& f, std::size_t i);

class Strides {
 public:
  Strides(const analysis::Resolved& resolved, const analysis::Fusion& fusion,
          const analysis::Storage& storage);

  /// True if the node is its layer's only one.
  bool alone(graph::NodeId n) const { return members_[fusion_.runs_with[n]] == 1; }
  /// True if only matrix products read `v`, through reshapes, parts and transposes.
  bool read(graph::ValueId v) const { return read_[v]; }
  /// True if the innermost axis of more than one element ends in rows or columns: among the last
  /// two.
  static bool keeps_runs(const Sizes& shape, const std::vector<std::size_t>& order);
  /// True if a layer with products makes the input of Transpose `n`, and only `n` reads it.
  bool written(graph::NodeId n) const;
  /// True if a node makes `v`, and only views and the node that makes `out` read it.
  bool only_reader(graph::ValueId v, graph::ValueId out) const;

 private:
  bool reads_by_strides(graph::NodeId reader, graph::ValueId v) const;
  bool reshapes(graph::NodeId n) const;

  const analysis::Resolved& r_;
  const analysis::Fusion& fusion_;
  const analysis::Storage& storage_;
  std::vector<std::int64_t> members_;  ///< by last node of a group
  std::vector<bool> multiplies_;       ///< likewise: the group has multiply-accumulates
  std::vector<bool> read_;             ///< by value
};

}  // namespace ridge::accelerator
