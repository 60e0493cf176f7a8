// SPDX-License-Identifier: Apache-2.0
// Values that share memory, and the node after which that memory is free, when nodes run in file
// order and a fused group runs at the position of its last member.
//
// A view of the same size (such as Reshape) shares its input's memory. Inputs and outputs of a
// call, and outputs of the taken branch of an If, share memory with the values of the enclosing
// graph. Values that a Loop or Scan carries from trip to trip have their own memory.
// Cost: O(values + edges), 16 bytes per value. Thread safety: immutable once constructed.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/traffic/fusion.h"

namespace ridge::analysis {

class Storage {
 public:
  Storage(const Resolved& resolved, const Fusion& fusion);

  /// Representative of all values that share the memory of `v`: one of the outermost graph.
  graph::ValueId home(graph::ValueId v) const { return home_[v]; }

  /// Calls `free(home)` for every home whose last use is node `n` (the last of its group). Memory
  /// of a graph output is never freed.
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
  std::vector<graph::ValueId> first_;  // by node: first home that is free after it
  std::vector<graph::ValueId> next_;   // by home: next one that is free after the same node
};

}  // namespace ridge::analysis
