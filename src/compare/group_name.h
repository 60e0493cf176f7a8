// SPDX-License-Identifier: Apache-2.0
// Names of groups of nodes in tables.
//
//   "layer1.0: conv1 + bn1 + relu"      modules below the deepest one that contains all nodes
//   "Reshape_7 + Gemm_8"                nodes without modules
//
// Names come from the model: hostile text that output code must escape.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::compare {

/// Returns the deepest module that contains all nodes; "" is the whole model.
std::string common_module(const std::vector<const profile::Node*>& nodes);

/// Removes path components that the next one repeats: "layer1/layer1.0" -> "layer1.0".
std::string short_module(std::string_view path);

/// Names the parts of the group inside `module`, each once.
std::string group_name(const std::vector<const profile::Node*>& nodes, std::string_view module);

/// Combines module and parts, as rows of tables are labeled: "layer1.0: conv1 + bn1 + relu".
std::string group_label(const std::vector<const profile::Node*>& nodes);

/// Returns the group's key in the table by operator: the operators of its nodes with MACs, or of
/// all nodes if there are none, each once in order.
std::string group_operator(const std::vector<const profile::Node*>& nodes);

}  // namespace ridge::compare
