// SPDX-License-Identifier: Apache-2.0
// Table of the counts of every node; nodes with equal counts share a row.
//
//   CountTable counts(3);
//   counts.set(0, c);   counts.set(1, c);   // one row
//   counts[1].macs
//
// Large graphs are repetitive: 200,000 nodes of residual blocks have a handful of distinct rows.
// Equal rows are looked up only among recently set ones, so a graph whose nodes all differ costs a
// few bytes per node and no search. There is at most one row more than there are nodes.
// Ownership: reason texts are borrowed. Thread safety: as std::vector. Cost: O(1).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "base/packed.h"
#include "base/words.h"
#include "graph/model.h"
#include "ops/dim.h"

namespace ridge::analysis {

/// kUnknown: no operator with that name and version, an undetermined number of
/// multiply-accumulates, or a tensor of unknown rank. If another count depends on the data, that
/// count is unknown, `reason` explains why, and the node is still kCounted.
enum class Status : std::uint8_t { kCounted, kZero, kUnknown };

}  // namespace ridge::analysis

namespace ridge {

template <>
struct Words<analysis::Status> {
  using Status = analysis::Status;
  static constexpr std::array list{Word{Status::kCounted, "counted"}, Word{Status::kZero, "zero"},
                                   Word{Status::kUnknown, "unknown"}};
};

}  // namespace ridge

namespace ridge::analysis {

constexpr std::string_view name(Status status) { return word(status); }

#pragma pack(push, 4)
struct NodeCounts {
  /// Totals over the node's executions (× repeat); an unknown Dim is null in JSON.
  ops::Dim macs, flops, special, int_ops;
  ops::Dim bytes_read, bytes_written;
  std::int64_t params = 0;  ///< elements of the weights that it reads (Resolved::weight)
  Text reason;              ///< why a count is null or the node unknown; empty otherwise
  Status status = Status::kUnknown;
};
#pragma pack(pop)

class CountTable {
 public:
  explicit CountTable(std::size_t nodes = 0);

  std::size_t size() const { return row_of_.size(); }
  /// The reference is valid until the node is set again.
  const NodeCounts& operator[](graph::NodeId n) const { return rows_[row_of_[n]]; }
  void set(graph::NodeId n, const NodeCounts& counts);
  /// Assigns to node `n` the counts of node `other`.
  void share(graph::NodeId n, graph::NodeId other);
  /// Resets the node to the initial row: all counts unknown.
  void reset(graph::NodeId n) { move_to(n, 0); }

 private:
  /// Assigns the node to `row`; a row without nodes is put on the free list.
  void move_to(graph::NodeId n, std::uint32_t row);
  std::uint32_t free_row();

  std::deque<NodeCounts> rows_;
  std::vector<std::uint32_t> nodes_on_;         // number of nodes, by row
  std::vector<std::uint32_t> free_;             // rows without nodes
  std::vector<std::uint32_t> row_of_;           // by NodeId
  std::array<std::uint32_t, 256> recent_ = {};  // row by the hash of its counts
};

}  // namespace ridge::analysis
