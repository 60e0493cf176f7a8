// What a group of nodes is called in tables.
//
//   "layer1.0: conv1 + bn1 + relu"      modules under the deepest one that holds all nodes
//   "Reshape_7 + Gemm_8"                nodes without modules
//
// Names are those of the model: hostile text, printed as such.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::compare {

/// The deepest module that holds all; "" is the whole model.
std::string common_module(const std::vector<const profile::Node*>& nodes);

/// A path without the steps that the next one repeats: "layer1/layer1.0" -> "layer1.0".
std::string short_module(std::string_view path);

/// Without the module in front: what of the group is where, equal neighbours once.
std::string group_name(const std::vector<const profile::Node*>& nodes, std::string_view module);

/// Both, as rows of tables are called: "layer1.0: conv1 + bn1 + relu".
std::string group_label(const std::vector<const profile::Node*>& nodes);

/// What the group counts under by operator: those of its nodes with MACs, or all of them, each once
/// in order.
std::string group_operator(const std::vector<const profile::Node*>& nodes);

}  // namespace ridge::compare
