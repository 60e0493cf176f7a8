// SPDX-License-Identifier: Apache-2.0
// Bodies of a node: their use, access by attribute, and the error about malformed ones. Pure
// functions; cost O(attributes of the node).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model.h"

namespace ridge::analysis {

/// Use of a node's bodies.
enum class Bodies : std::uint8_t {
  kNone,
  kCall,
  kIf,
  kLoop,
  kScan,
  kBatchedScan,  ///< Scan of opset 8
  kMap,
  kModifiers,  ///< the node does its own work; the bodies modify intermediate results
  kOther
};
Bodies bodies_of(const graph::Node& node);

/// Returns the body stored in the attribute `name` of the node, or kNone. Bodies are listed in
/// attribute order.
graph::GraphId body_named(const graph::Node& node, std::string_view name);

/// Creates an input error about the node.
Error malformed(const graph::Node& node, std::string message);

}  // namespace ridge::analysis
