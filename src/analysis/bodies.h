// Helpers for control flow: access to the bodies of a node, and errors about malformed nodes.
// Private to control.cc and scan.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model.h"

namespace ridge::analysis {

/// Returns the body stored in the attribute `name` of the node, or kNone. Bodies are listed in
/// attribute order.
graph::GraphId body_named(const graph::Node& node, std::string_view name);

/// Creates an input error about the node.
Error malformed(const graph::Node& node, std::string message);

}  // namespace ridge::analysis
