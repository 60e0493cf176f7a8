// SPDX-License-Identifier: Apache-2.0
// Model that is passed to a compiler: every size is a number, values that the sizes alone determine
// are computed, large weights are omitted.
//
//   const StaticModel m = TRY(static_model(resolved));     // m.bytes is an ONNX file
//
// Compilers fail on shapes that are computed (Shape, Gather, Concat, Reshape), so those nodes are
// removed. A remaining node is named after its NodeId ("17"), a tensor after its ValueId ("v12").
// Floating-point constants with more than kLargestConstant elements, and those that a
// ConstantOfShape produces, become inputs of the graph, since their elements do not affect loops.
// Thread rule: pure function. Cost: O(nodes + small constants). Errors (input class): control flow
// and functions, which the compiler's front end does not support; unknown sizes; errors of
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
  std::vector<graph::NodeId> folded;  ///< nodes with work of their own that were removed
};

Result<StaticModel> static_model(const analysis::Resolved& resolved);

/// ValueId for a name in the static model: "v12" -> 12; kNone for any other text.
graph::ValueId static_value(std::string_view name);

}  // namespace ridge::accelerator
