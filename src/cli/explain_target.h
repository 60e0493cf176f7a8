// What the second argument of ridge explain means: the first column of a table, a name, a part of
// one.
//
//   layer:379    a layer, as the tables of profiles call it; a bare number where a run is given
//   #17          a node; a bare number where a model is given
//   /fc/MatMul   a node, a tensor that it makes, a layer, what compare calls a group of nodes
//   matmul       what alone has that in its name
//
// Errors (usage class): nothing of that name (near ones in the hint), several.
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
  std::vector<std::uint32_t> layers;  ///< places in Profile::layers
};

/// Whether the text is of the form layer:379.
bool names_layer(const std::string& text);

Result<graph::NodeId> find_node(const std::string& text, const graph::Model& model);
Result<Target> find_in_run(const std::string& text, const profile::Profile& run);

}  // namespace ridge::cli
