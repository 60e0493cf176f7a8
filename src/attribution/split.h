// SPDX-License-Identifier: Apache-2.0
// Division of a region's members among its kernels: rules a to g of placer.h. Private to
// placer.cc.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "attribution/anchors.h"
#include "attribution/optimized.h"
#include "attribution/original.h"
#include "attribution/placement.h"
#include "attribution/regions.h"

namespace ridge::attribution {

/// Kernels by operator, each returned once.
class KernelPool {
 public:
  KernelPool(const OptimizedGraph& graph, const std::vector<NodeId>& kernels);
  /// Returns the first kernel of an operator that is not `taken`; kNone if there is none.
  NodeId next(std::string_view op, const std::vector<bool>& taken);
  /// Returns the first product kernel without a product member; kNone if there is none.
  NodeId next_product(const std::vector<bool>& multiplies) { return products_.next(multiplies); }
  /// Returns the only product among the kernels; kNone if there are several or none.
  NodeId only_product() const {
    return products_.kernels.size() == 1 ? products_.kernels[0] : kNone;
  }

 private:
  struct Line {
    std::vector<NodeId> kernels;
    std::size_t at = 0;  // the kernels before it are taken
    NodeId next(const std::vector<bool>& taken);
  };
  std::unordered_map<std::string_view, Line> by_op_;
  Line products_;
};

class Split {
 public:
  Split(const Original& original, const OptimizedGraph& graph, const Anchors& anchors,
        const Regions& regions);

  /// Places `members` (in the original's order) on kernels of the region of `end`, where the walk
  /// began. `fresh`: the kernels that no earlier walk depended on.
  void split(NodeId end, const std::vector<NodeId>& fresh, const std::vector<NodeId>& members,
             Placement& out);

 private:
  void note_listed(NodeId k);
  void by_neighbor(const std::vector<NodeId>& members, Placement& out) const;
  void put(NodeId n, NodeId kernel, profile::Evidence evidence, Placement& out);

  const Original& original_;
  const OptimizedGraph& graph_;
  const Regions& regions_;
  /// By original node: the kernel that is named after it, or listed by the runtime for it.
  std::vector<NodeId> called_after_;
  std::vector<NodeId> makes_;  // by original node: the kernel that produces an output of it
  /// By original node: the kernel that produces a tensor named after it.
  std::vector<NodeId> makes_named_;
  std::vector<bool> taken_;       // by kernel: has a member of its own operator
  std::vector<bool> multiplies_;  // by kernel: has a member that is a product
  std::unordered_map<std::uint32_t, KernelPool> pools_;  // by region
};

}  // namespace ridge::attribution
