// The counts of every node, kept once for nodes that agree.
//
//   CountTable counts(3);
//   counts.set(0, c);   counts.set(1, c);   // one row
//   counts[1].macs
//
// A large graph repeats itself: 200,000 nodes of residual blocks have a handful of different rows.
// Equal rows are found among those set lately, so that a graph whose nodes all differ pays a few
// bytes per node and no search; there are never more rows than nodes.
// Ownership: texts of reasons are borrowed. Thread rule: as a vector's. Cost: O(1).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "base/packed.h"
#include "graph/model.h"
#include "ops/dim.h"

namespace ridge::analysis {

/// Unknown: no operator of that name and version, multiply-accumulates that nothing tells, or a
/// tensor of which not even the rank is known. Where the data alone decides another figure, that
/// figure is unknown, `reason` says why, and the node is counted.
enum class Status : std::uint8_t { kCounted, kZero, kUnknown };
/// "counted", "zero", "unknown".
std::string_view name(Status status);

#pragma pack(push, 4)
struct NodeCounts {
  ops::Dim macs, flops, special,
      int_ops;  ///< totals over the node's executions (× repeat); unknown = null
  ops::Dim bytes_read, bytes_written;
  std::int64_t params = 0;  ///< elements of the weights it reads (design.md)
  Text reason;              ///< why a figure is null or the node unknown; empty otherwise
  Status status = Status::kUnknown;
};
#pragma pack(pop)

class CountTable {
 public:
  explicit CountTable(std::size_t nodes = 0);

  std::size_t size() const { return row_of_.size(); }
  /// Good until the node is set again.
  const NodeCounts& operator[](graph::NodeId n) const { return rows_[row_of_[n]]; }
  void set(graph::NodeId n, const NodeCounts& counts);
  /// Gives a node the counts of another.
  void share(graph::NodeId n, graph::NodeId other);
  /// To the counts that a table begins with: nothing is known.
  void reset(graph::NodeId n) { move_to(n, 0); }

 private:
  /// A row that the last node leaves is free.
  void move_to(graph::NodeId n, std::uint32_t row);
  std::uint32_t free_row();

  std::deque<NodeCounts> rows_;
  std::vector<std::uint32_t> nodes_on_;         // by row
  std::vector<std::uint32_t> free_;             // rows that no node is on
  std::vector<std::uint32_t> row_of_;           // by NodeId
  std::array<std::uint32_t, 256> recent_ = {};  // rows by the hash of their counts
};

}  // namespace ridge::analysis
