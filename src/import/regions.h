// SPDX-License-Identifier: Apache-2.0
// Finds the nodes of the regions that TensorRT compiled as a whole and names by their two ends
// (recorded.h), after the names of all layers were looked up. Private to members.cc.
//
//   Regions regions(layers, resolved, names, naming);
//   regions.fill(found, partly, placed);   // adds the nodes of every region to its layer
//   regions.notes()
//
// Both ends are nodes: all nodes on a way between them. An end is a weight, which is no node: the
// region begins (or ends) at the nodes that read it and that no other layer is named after, and
// takes in what is computed for it alone:
//
//   {ForeignNode[w...relu]}   x -> quantize -> conv(w) -> relu    conv, relu; quantize, whose
//                                                                 only reader is conv
//
// An end is unknown: the region grows from its other end in the same way, if all other layers are
// matched, so that what is left can be nowhere else; otherwise it stands for no node. Evidence is
// kRegion. Cost: linear in the model for each region, at most kVisits nodes for all of them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/recorded.h"
#include "import/region_ends.h"
#include "profile/profile.h"

namespace ridge::imports {

class Regions {
 public:
  /// Nodes of a layer with their evidence.
  using Nodes = std::vector<std::pair<graph::NodeId, profile::Evidence>>;

  Regions(const std::vector<RecordedLayer>& layers, const analysis::Resolved& resolved,
          const NameIndex& names, Naming naming);

  /// `found`, `partly`: by layer; `placed`: by node.
  void fill(std::vector<Nodes>& found, std::vector<bool>& partly, std::vector<bool>& placed);
  std::vector<std::string> notes() const;

 private:
  struct Region {
    std::uint32_t layer = 0;
    RegionEnd from, to;
  };
  enum class Way : std::uint8_t { kUp, kDown };

  std::vector<bool> reach(const std::vector<graph::NodeId>& starts, Way way);
  std::vector<graph::NodeId> next(graph::NodeId node, Way way) const;
  std::vector<graph::NodeId> unplaced(const std::vector<graph::NodeId>& nodes) const;
  void put(std::uint32_t layer, graph::NodeId node, profile::Evidence evidence);
  void between(const Region& region, bool exact);
  void begin_at_weight(Region& region);
  void fill_open(const Region& region);
  void grow(std::uint32_t layer, Way way);
  bool only_for(graph::NodeId node, Way way, const std::vector<bool>& inside) const;
  void find_unmatched(const std::vector<bool>& partly);

  const std::vector<RecordedLayer>& layers_;
  const analysis::Resolved& resolved_;
  const graph::Model& model_;
  std::vector<Region> regions_;
  std::vector<Nodes>* found_ = nullptr;
  std::vector<bool>*partly_ = nullptr, *placed_ = nullptr;
  bool all_matched_ = true;  // every layer that is no region stands for nodes, all of them known
  std::int64_t visits_ = 0;
  std::size_t at_weights_ = 0, completed_ = 0, unknown_ = 0;
};

}  // namespace ridge::imports
