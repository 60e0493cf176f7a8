// SPDX-License-Identifier: Apache-2.0
// Ends of a region of TensorRT, "{ForeignNode[a...b]}", as nodes of the model.
//
//   const RegionEnd from = region_end("conv1.weight + /conv1/Conv", names, naming);
//   from.nodes      // nodes that it names
//   from.readers    // nodes that read a weight that it names; only if it names no node
//
// An end is a name or a list of names, as the names of layers are (trtexec_names.h). An end that
// names neither is unknown: a layer without a name in the model ("(Unnamed Layer* 7) [Shuffle]").
#pragma once

#include <string_view>
#include <vector>

#include "import/names.h"

namespace ridge::imports {

struct RegionEnd {
  std::vector<Found> nodes;
  std::vector<graph::NodeId> readers;

  bool named() const { return !nodes.empty(); }
  bool weight() const { return nodes.empty() && !readers.empty(); }
};

RegionEnd region_end(std::string_view text, const NameIndex& names, Naming naming);

}  // namespace ridge::imports
