// Which values share memory, and after which node that memory is free again, when nodes run one
// after the other in file order and a fused group runs at the place of its last member.
//
// A view of the same size (Reshape and the like) lies where its input does; so do what a call or
// the branch of an If that runs hands in and out, and the values of the graph around it. What a
// Loop or Scan hands from trip to trip is memory of its own.
// Cost: O(values + edges), 16 bytes per value. Thread rule: immutable once made.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/fusion.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

class Storage {
 public:
  Storage(const Resolved& resolved, const Fusion& fusion);

  /// The value that stands for all that share its memory: the one of the outermost graph.
  graph::ValueId home(graph::ValueId v) const { return home_[v]; }

  /// Calls `free(home)` for every home whose last use is node `n` (the last of its group). What an
  /// output of its graph lies in is never free.
  template <typename Free>
  void after(graph::NodeId n, Free free) const {
    for (graph::ValueId v = first_[n]; v != graph::kNone; v = next_[v]) free(v);
  }

 private:
  void unite(graph::ValueId a, graph::ValueId b);
  graph::ValueId find(graph::ValueId v);
  void unite_bodies(graph::NodeId n);
  void unite_views(graph::NodeId n);
  void find_last_uses(const Fusion& fusion);

  const Resolved& r_;
  const graph::Model& model_;
  std::vector<graph::ValueId> home_;
  std::vector<graph::ValueId> first_;  // by node: the first home that is free after it
  std::vector<graph::ValueId> next_;   // by home: the next that is free after the same node
};

}  // namespace ridge::analysis
