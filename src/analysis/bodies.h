// What control flow shares: the bodies of a node, and what to say of one that breaks the standard.
// Private to control.cc and scan.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model.h"

namespace ridge::analysis {

/// The body that an attribute of the node holds, or kNone: bodies stand in attribute order.
graph::GraphId body_named(const graph::Node& node, std::string_view name);

/// An input error about the node.
Error malformed(const graph::Node& node, std::string message);

}  // namespace ridge::analysis
