// SPDX-License-Identifier: Apache-2.0
// Finds the node or layer that the second argument of ridge explain denotes.
//
//   layer:379    a layer by index, as in the tables of profiles; for a run also 379
//   #17          a node by index; for a model also 17
//   /fc/MatMul   the name of a node, of a tensor (the node that produces it), of a layer, or of a
//                group of nodes as in ridge compare
//   matmul       a part of a name, if only one name contains it
//
// Tensors are searched only in models, layers and groups only in runs. Errors (usage class): no
// match (similar names in the hint), or several.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::cli {

struct Target {
  std::optional<std::uint32_t> node;
  std::vector<std::uint32_t> layers;  ///< positions in Profile::layers
};

/// True if `text` has the form layer:379.
bool is_layer_name(const std::string& text);

Result<graph::NodeId> find_node(const std::string& text, const graph::Model& model);
Result<Target> find_in_run(const std::string& text, const profile::Profile& run);

}  // namespace ridge::cli
