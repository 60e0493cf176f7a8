// Runtime layers back to the nodes of the original model.
//
//   Canonical copy = canonicalise(resolved, options);          // what the runtime sees
//   ... the runtime loads copy, is profiled, dumps its optimised graph ...
//   Result<Attribution> a = attribute(resolved, copy, runtime_graph);
//
// The method: anchors (tensors of the optimised graph whose original meaning is known, by surviving name or a documented naming rule),
// regions (kernels joined by tensors that are not anchored), backward slices of the original graph from each anchor to the next, and value
// numbers for what the runtime merged. Every node ends in exactly one place; MACs are conserved (attribution/conservation.h proves it).
// Nothing is fitted to a model: what no rule explains stays unplaced and is reported.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "profile/profile.h"

namespace ridge::attribution {

/// One kernel of the runtime's optimised graph, joined with its profiling events by name.
struct Kernel {
  std::string name;       ///< in the optimised graph
  std::string op_type, domain;
};

/// A group of kernels and the nodes it stands for: the smallest whose members are certain.
struct Layer {
  std::vector<std::uint32_t> kernels;             ///< positions in Attribution::kernels; the first names the layer
  std::vector<profile::Member> members;
  bool inserted = false;
  std::string layout;                             ///< as profile::Layer
};

struct Attribution {
  std::vector<Kernel> kernels;                    ///< every node of the optimised graph, bodies included, topological
  std::vector<Layer> layers;                      ///< in order of execution; every kernel in exactly one
  std::vector<profile::WithoutLayer> without_layer;
  std::vector<std::uint32_t> unplaced;            ///< nodes that no rule explains: a defect, shown as such
};

}  // namespace ridge::attribution
