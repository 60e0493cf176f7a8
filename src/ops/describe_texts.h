// The words of ops/describe.h, one row per rule. Private to it.
#pragma once

#include <span>
#include <string_view>

namespace ridge::ops {

struct RuleText {
  std::string_view domain;
  std::string_view names;  ///< one blank between them; examples are written for the first
  std::string_view text;
};

std::span<const RuleText> shape_texts();
/// Only what is neither the default nor a view nor rule.h's.
std::span<const RuleText> traffic_texts();
/// Empty: the example of its rule does not fit, and it has none.
std::span<const RuleText> example_texts();

}  // namespace ridge::ops
