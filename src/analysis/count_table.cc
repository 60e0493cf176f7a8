// SPDX-License-Identifier: Apache-2.0
#include "analysis/count_table.h"

#include <bit>

namespace ridge::analysis {
namespace {

bool same(const NodeCounts& a, const NodeCounts& b) {
  return a.macs == b.macs && a.flops == b.flops && a.special == b.special &&
         a.int_ops == b.int_ops && a.bytes_read == b.bytes_read &&
         a.bytes_written == b.bytes_written && a.params == b.params && a.status == b.status &&
         a.reason == b.reason;
}

std::size_t hash(const NodeCounts& c) {
  std::uint64_t h = static_cast<std::uint64_t>(c.params) ^ c.reason.size();
  for (const ops::Dim d : {c.macs, c.flops, c.special, c.int_ops, c.bytes_read, c.bytes_written})
    h = (std::rotl(h, 23) ^ std::bit_cast<std::uint64_t>(d)) * 0x9e3779b97f4a7c15ULL;
  return h >> 32;
}

}  // namespace

/// All nodes start on row 0: all counts unknown, never modified.
CountTable::CountTable(std::size_t nodes) : rows_(1), nodes_on_{1}, row_of_(nodes) {
  nodes_on_[0] += static_cast<std::uint32_t>(nodes);
}

void CountTable::set(graph::NodeId n, const NodeCounts& counts) {
  std::uint32_t& row = recent_[hash(counts) % recent_.size()];
  if (nodes_on_[row] == 0 || !same(rows_[row], counts)) {
    move_to(n, 0);  // may put its row on the free list
    row = free_row();
    rows_[row] = counts;
  }
  move_to(n, row);
}

void CountTable::share(graph::NodeId n, graph::NodeId other) { move_to(n, row_of_[other]); }

void CountTable::move_to(graph::NodeId n, std::uint32_t row) {
  const std::uint32_t left = row_of_[n];
  if (left == row) return;
  if (--nodes_on_[left] == 0) free_.push_back(left);
  ++nodes_on_[row];
  row_of_[n] = row;
}

std::uint32_t CountTable::free_row() {
  if (free_.empty()) {
    rows_.emplace_back();
    nodes_on_.push_back(0);
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }
  const std::uint32_t row = free_.back();
  free_.pop_back();
  return row;
}

}  // namespace ridge::analysis
