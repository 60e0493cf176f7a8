// SPDX-License-Identifier: Apache-2.0
// Texts of ops/describe.h, one row per rule. Private to it.
#pragma once

#include <span>
#include <string_view>

namespace ridge::ops {

struct RuleText {
  std::string_view domain;
  std::string_view names;  ///< separated by single spaces; examples use the first
  std::string_view text;
};

std::span<const RuleText> shape_texts();
/// Only rules other than the default, views, and the rules of rule.h.
std::span<const RuleText> traffic_texts();
/// An empty text: the example of the shared rule does not apply, and there is none.
std::span<const RuleText> example_texts();

}  // namespace ridge::ops
