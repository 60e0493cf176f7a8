// Divides the members of a region among its kernels: rules a to g of placement.h. Private to
// placement.cc.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "attribution/regions.h"

namespace ridge::attribution {

struct Placement;

/// Kernels by operator, each handed out once.
class KernelPool {
 public:
  KernelPool(const OptimisedGraph& graph, const std::vector<NodeId>& kernels);
  /// The first kernel of an operator that is not `taken`; kNone where there is none.
  NodeId next(std::string_view op, const std::vector<bool>& taken);
  /// The first product that does not multiply for a member yet; kNone where there is none.
  NodeId next_product(const std::vector<bool>& multiplies) { return products_.next(multiplies); }
  /// The one product among the kernels, or kNone.
  NodeId only_product() const {
    return products_.kernels.size() == 1 ? products_.kernels[0] : kNone;
  }

 private:
  struct Line {
    std::vector<NodeId> kernels;
    std::size_t at = 0;  // those before it are taken
    NodeId next(const std::vector<bool>& taken);
  };
  std::unordered_map<std::string_view, Line> by_op_;
  Line products_;
};

class Split {
 public:
  Split(const Original& original, const OptimisedGraph& graph, const Anchors& anchors,
        const Regions& regions);

  /// Places `members` (in the original's order) on kernels of the region of `end`, where the walk
  /// began. `fresh`: the kernels that it is the first to depend on.
  void split(NodeId end, const std::vector<NodeId>& fresh, const std::vector<NodeId>& members,
             Placement& out);

 private:
  void note_listed(NodeId k);
  void by_neighbour(const std::vector<NodeId>& members, Placement& out) const;
  void put(NodeId n, NodeId kernel, profile::Evidence evidence, Placement& out);

  const Original& original_;
  const OptimisedGraph& graph_;
  const Regions& regions_;
  std::vector<NodeId>
      called_after_;           // by original node: the kernel that is called after it, or that
                               // the runtime lists it for
  std::vector<NodeId> makes_;  // by original node: the kernel that makes an output of it
  std::vector<NodeId>
      makes_named_;               // by original node: the kernel that makes a tensor called like it
  std::vector<bool> taken_;       // by kernel: has a member of its own operator
  std::vector<bool> multiplies_;  // by kernel: has a member that is a product
  std::unordered_map<std::uint32_t, KernelPool> pools_;  // by region
};

}  // namespace ridge::attribution
