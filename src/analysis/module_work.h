// SPDX-License-Identifier: Apache-2.0
// Work, parameters and output tensor of each module of the tree.
//
//   const WorkByModule work = work_by_module(resolved);
//   work[module].macs          // of everything inside, at any depth
//   work[0]                    // the whole model
//
// Sums cover the known counts; `unknown` is the number of nodes with unknown work, and `incomplete`
// marks the sums that lack a node and so are lower bounds. A weight counts once per module, however
// many of its nodes read it, so a module may have fewer parameters than the sum of its parts.
// With a depth limit, only modules down to that depth have a row: a large graph has as many modules
// as nodes, and few of them are shown.
// Cost: O(nodes + edges * depth). Thread safety: adds expressions to resolved.dims().
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct ModuleWork {
  std::int64_t nodes = 0, unknown = 0;
  ops::Dim macs{0}, flops{0}, special{0}, int_ops{0}, bytes_read{0}, bytes_written{0};
  std::int64_t params = 0;
  std::bitset<7> incomplete;  ///< by Totals::Figure
  /// Last tensor produced inside and read outside, preferably a floating-point one; kNone if there
  /// is none.
  graph::ValueId output = graph::kNone;
};

/// Work of the modules down to the requested depth.
class WorkByModule {
 public:
  WorkByModule(std::span<const graph::Module> modules, std::uint32_t depth);
  const ModuleWork& operator[](graph::ModuleId m) const { return work_[row_[m]]; }
  /// Row of a module, or of its nearest ancestor with a row if the module is deeper.
  ModuleWork& kept(graph::ModuleId m) { return work_[row_[m]]; }

 private:
  std::vector<ModuleWork> work_;
  std::vector<std::uint32_t> row_;  // by ModuleId
};

WorkByModule work_by_module(const Resolved& resolved, std::uint32_t depth = UINT32_MAX);

/// Adds nodes, arithmetic and bytes of `part`, but not its parameters and output.
void add_work(ModuleWork& sum, const ModuleWork& part, ops::DimPool& dims);
/// Adds the counts of one node.
void add_work(ModuleWork& sum, const NodeCounts& node, ops::DimPool& dims);

/// Nodes directly in a module, and the modules directly below it, both in order of appearance.
class ModuleIndex {
 public:
  explicit ModuleIndex(const graph::Model& model);
  std::span<const graph::NodeId> nodes(graph::ModuleId m) const { return part(nodes_, m); }
  std::span<const graph::ModuleId> children(graph::ModuleId m) const { return part(children_, m); }
  /// Returns the modules in pre-order: parents before children, siblings in order of appearance.
  std::vector<graph::ModuleId> tree_order() const;

 private:
  struct Lists {
    std::vector<std::uint32_t> start, items;
  };
  static Lists bucket(std::size_t modules, std::span<const graph::ModuleId> module_of);
  static std::span<const std::uint32_t> part(const Lists& lists, graph::ModuleId m) {
    return std::span(lists.items).subspan(lists.start[m], lists.start[m + 1] - lists.start[m]);
  }
  Lists nodes_, children_;
};

}  // namespace ridge::analysis
