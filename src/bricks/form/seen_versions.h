// SPDX-License-Identifier: Apache-2.0
// Versions of operators that mean the same, from ONNX's Changelog.
//
//   meaning_version("", "Relu", 17)      // 6: all versions from there on are seen alike
//   meaning_version("", "Softmax", 12)   // 1; that it flattens is written by seen_rules.cc
//
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridge::bricks {

/// First version of an operator that means the same as the one in `opset`, as far as seen_of()
/// does not show the difference otherwise.
std::int32_t meaning_version(std::string_view domain, std::string_view op_type, std::int32_t opset);

}  // namespace ridge::bricks
