// What each module of the tree holds: work, parameters, and the tensor that it hands on.
//
//   const WorkByModule work = work_by_module(resolved);
//   work[module].macs          // of everything inside, at any depth
//   work[0]                    // the whole model
//
// Sums of the figures that are known; `unknown` is the number of nodes whose work is not, and
// `incomplete` names the sums that lack a node and so are lower bounds. A weight counts once
// per module, however many of its nodes read it, so a module may have fewer parameters than its
// parts together.
// Asked for a depth, it keeps the modules down to there alone: a large graph has as many modules as
// nodes, and few of them are shown.
// Cost: O(nodes + edges * depth). Thread rule: makes new expressions in resolved.dims().
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
  /// The last tensor made inside that is read outside, a floating one where there is any; kNone
  /// where nothing leaves.
  graph::ValueId output = graph::kNone;
};

/// The work of the modules that are no deeper than was asked for.
class WorkByModule {
 public:
  WorkByModule(std::span<const graph::Module> modules, std::uint32_t depth);
  const ModuleWork& operator[](graph::ModuleId m) const { return work_[row_[m]]; }
  /// The row of a module, or of the ancestor that is kept where it lies deeper.
  ModuleWork& kept(graph::ModuleId m) { return work_[row_[m]]; }

 private:
  std::vector<ModuleWork> work_;
  std::vector<std::uint32_t> row_;  // by ModuleId
};

WorkByModule work_by_module(const Resolved& resolved, std::uint32_t depth = UINT32_MAX);

/// Adds the nodes and arithmetic of `part`, not its parameters and output.
void add_work(ModuleWork& sum, const ModuleWork& part, ops::DimPool& dims);
/// The same for one node.
void add_work(ModuleWork& sum, const NodeCounts& node, ops::DimPool& dims);

/// Nodes that stand directly in a module, and the modules below it, both in order of appearance.
class ModuleIndex {
 public:
  explicit ModuleIndex(const graph::Model& model);
  std::span<const graph::NodeId> nodes(graph::ModuleId m) const { return part(nodes_, m); }
  std::span<const graph::ModuleId> children(graph::ModuleId m) const { return part(children_, m); }
  /// Parents before children, children in the order in which they appear.
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
