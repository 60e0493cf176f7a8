// The model that a compiler is given: every size a number, what the sizes alone decide computed,
// large weights left out.
//
//   const StaticModel m = TRY(static_model(resolved));     // m.bytes is an ONNX file
//
// Compilers stumble over shapes that are computed (Shape, Gather, Concat, Reshape), so those nodes
// are gone; a node that is left is called by its NodeId ("17"), a tensor by "v" and its ValueId.
// Floating constants of more than kLargestConstant elements, and those that a ConstantOfShape
// stands for, are inputs of the graph, as their elements say nothing about loops.
// Thread rule: pure function. Cost: O(nodes + small constants). Errors (input class): control flow
// and functions, which the compiler's front end does not take; sizes that are not known; those of
// onnx::write_bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"

namespace ridge::accelerator {

inline constexpr std::int64_t kLargestConstant = 1024;

struct StaticModel {
  std::string bytes;
  std::vector<graph::NodeId> folded;  ///< nodes with work of their own that are not in it
};

Result<StaticModel> static_model(const analysis::Resolved& resolved);

/// The ValueId or NodeId behind a name of the static model: "v12" -> 12, "17" -> 17; kNone for any
/// other text.
graph::ValueId static_value(std::string_view name);
graph::NodeId static_node(std::string_view name);

}  // namespace ridge::accelerator
