// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/size_equations.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::analysis {
namespace {

/// The only name without a value; nullopt if there is none, or more than one.
std::optional<std::string> only_unknown(const SizeExpression& expression,
                                        const SizeEquations::Values& values) {
  std::optional<std::string> unknown;
  for (const std::string& name : expression.names()) {
    if (values.contains(name)) continue;
    if (unknown) return std::nullopt;
    unknown = name;
  }
  return unknown;
}

}  // namespace

SizeExpression::ValueOf value_in(const SizeEquations::Values& values) {
  return [&values](std::string_view name) -> std::optional<std::int64_t> {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second.value);
  };
}

std::string values_text(const SizeExpression& expression, const SizeEquations::Values& values) {
  std::string text;
  for (const std::string& name : expression.names()) {
    const auto at = values.find(name);
    if (at == values.end()) continue;
    text += fmt::format("{}{} = {}{}", text.empty() ? "" : ", ", name, at->second.value,
                        at->second.assumed ? " (assumed)" : "");
  }
  return text;
}

void SizeEquations::add(std::string text, SizeExpression expression, std::int64_t value,
                        std::string flag) {
  equations_.push_back({std::move(text), std::move(expression), value, std::move(flag)});
}

Result<void> SizeEquations::solve(Values& values, Origins& from) const {
  for (bool found = true; found;) {
    found = false;
    for (const Equation& e : equations_) {
      const std::optional<std::string> name = only_unknown(e.expression, values);
      if (!name) continue;
      const SizeExpression::Solution solution =
          e.expression.solve(*name, e.value, value_in(values));
      if (solution.kind == SizeExpression::Solution::Kind::kNone) {
        const std::string known = values_text(e.expression, values);
        return input_error(
                   "RIDGE-ANA-0108",
                   fmt::format("{}: no size '{}' gives '{}' the value {}{}{}", e.flag, *name,
                               e.text, e.value, known.empty() ? "" : " with ", known))
            .hint(fmt::format("set '{}' itself, and leave out the expression", *name));
      }
      if (const auto one = solution.one()) {
        values.try_emplace(*name, Binding{*one, false});
        from.try_emplace(*name, e.flag);
        found = true;
      }
    }
  }
  return {};
}

Result<void> SizeEquations::check(Values& values, const Origins& from) const {
  for (const Equation& e : equations_) {
    const bool known = std::ranges::all_of(
        e.expression.names(), [&](const std::string& name) { return values.contains(name); });
    if (!known) {
      values.try_emplace(e.text, Binding{e.value, false});
      continue;
    }
    const auto now = e.expression.evaluate(value_in(values));
    if (now == e.value) continue;
    std::string by;
    for (const std::string& name : e.expression.names())
      if (const auto flag = from.find(name); flag != from.end() && flag->second != e.flag)
        by += fmt::format("{}{}", by.empty() ? " by " : " and ", flag->second);
    return input_error(
               "RIDGE-ANA-0109",
               fmt::format("size '{}' is set to {} by {}, but is {} with {}{}", e.text, e.value,
                           e.flag, now ? fmt::format("{}", *now) : "no whole number",
                           values_text(e.expression, values), by))
        .hint("leave one of them out: the others follow from it");
  }
  return {};
}

bool SizeEquations::sets(std::string_view text) const {
  return std::ranges::any_of(equations_, [&](const Equation& e) { return e.text == text; });
}

std::string SizeEquations::several(const std::string& name, const Values& values) const {
  for (const Equation& e : equations_) {
    if (only_unknown(e.expression, values) != name) continue;
    const SizeExpression::Solution s = e.expression.solve(name, e.value, value_in(values));
    if (s.kind == SizeExpression::Solution::Kind::kRange)
      return fmt::format("{} to {} fit {}", s.least, s.most, e.flag);
    return fmt::format("{} does not determine it", e.flag);
  }
  return "";
}

}  // namespace ridge::analysis
