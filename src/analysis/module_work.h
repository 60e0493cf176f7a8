// What each module of the tree holds: work, parameters, and the tensor that it hands on.
//
//   const std::vector<ModuleWork> work = work_by_module(resolved);
//   work[module].macs          // of everything inside, at any depth
//   work[0]                    // the whole model
//
// Sums of the figures that are known; `unknown` says how many nodes lack one. A weight counts once
// per module, however many of its nodes read it, so a module may have fewer parameters than its
// parts together.
// Cost: O(nodes + edges * depth). Thread rule: makes new expressions in resolved.dims().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

struct ModuleWork {
  std::int64_t nodes = 0, unknown = 0;
  ops::Dim macs{0}, flops{0}, special{0}, int_ops{0}, bytes_read{0}, bytes_written{0};
  std::int64_t params = 0;
  /// The last tensor made inside that is read outside, a floating one where there is any; kNone
  /// where nothing leaves.
  graph::ValueId output = graph::kNone;
};

/// By ModuleId.
std::vector<ModuleWork> work_by_module(const Resolved& resolved);

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
