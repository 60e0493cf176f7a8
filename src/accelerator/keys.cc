#include "accelerator/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "base/suggest.h"
#include "base/text.h"

namespace ridge::accelerator {
namespace {

std::string_view last_part(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

/// True if `name` is the rule's name without its unit or with another unit: "clock", "clock_ghz",
/// "bandwidth" or "dram.bandwidth".
bool lacks_unit(std::string_view name, const KeyRule& rule) {
  if (rule.unit_less.empty()) return false;
  for (const std::string_view bare : {rule.unit_less, last_part(rule.unit_less)})
    if (name == bare || (name.starts_with(bare) && name[bare.size()] == '_')) return true;
  return false;
}

Error unknown_key(std::string_view name, std::span<const KeyRule> rules) {
  for (const KeyRule& rule : rules)
    if (lacks_unit(name, rule))
      return input_error("RIDGE-ACC-0207",
                         fmt::format("'{}' has no unit or an unsupported one", shown(name)))
          .hint(fmt::format("use {}: {}", rule.name, rule.meaning));
  std::vector<std::string> all, near;
  for (const KeyRule& rule : rules) {
    all.emplace_back(rule.name);
    if (last_part(rule.name) == last_part(name)) near.emplace_back(rule.name);
  }
  if (near.empty()) near = near_names(name, all);
  Error error = input_error("RIDGE-ACC-0206", fmt::format("unknown key '{}'", shown(name)));
  if (near.empty())
    return std::move(error).hint(fmt::format("valid keys: {}", fmt::join(all, ", ")));
  return std::move(error).hint(fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

void flatten(const Toml& table, const std::string& prefix, std::vector<NamedValue>& out) {
  for (const TomlMember& m : table.members) {
    const std::string name = prefix + m.key;
    if (m.value.kind == Toml::Kind::kTable)
      flatten(m.value, name + '.', out);  // recursion depth is bounded by read_toml's nesting limit
    else
      out.push_back({name, m.place, &m.value});
  }
}

std::string said(const KeyRule& rule) {
  if (rule.kind == KeyRule::Kind::kText) return std::string(rule.meaning);
  if (rule.kind == KeyRule::Kind::kFlag) return fmt::format("{}: true or false", rule.meaning);
  return fmt::format("{}, {}", rule.meaning, allowed(rule));
}

}  // namespace

std::vector<NamedValue> named_values(const Toml& table) {
  std::vector<NamedValue> out;
  flatten(table, "", out);
  return out;
}

Result<std::size_t> find_rule(std::string_view name, std::span<const KeyRule> rules) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].name == name) return i;
  return unknown_key(name, rules);
}

std::string shown(std::string_view text) { return printable(shorten(valid_utf8(text), 60)); }

std::string number_text(double value) {
  if (value == std::trunc(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{}", value);
}

std::string allowed(const KeyRule& rule) {
  const bool whole = rule.kind == KeyRule::Kind::kWhole && rule.unit == 1;
  return fmt::format("a {} from {} to {}", whole ? "whole number" : "number",
                     number_text(rule.least), number_text(rule.most));
}

Result<void> check_value(const KeyRule& rule, const Toml& value) {
  const auto wanted = rule.kind == KeyRule::Kind::kText   ? Toml::Kind::kText
                      : rule.kind == KeyRule::Kind::kFlag ? Toml::Kind::kTruth
                                                          : Toml::Kind::kNumber;
  if (value.kind != wanted)
    return input_error("RIDGE-ACC-0209",
                       fmt::format("{} is {}, not {}", rule.name, name(value.kind), name(wanted)))
        .hint(said(rule));
  if (wanted != Toml::Kind::kNumber) return {};
  const double n = value.number;
  const double held = n * rule.unit;
  const bool whole = rule.kind != KeyRule::Kind::kWhole || held == std::trunc(held);
  if (n >= rule.least && n <= rule.most && whole) return {};  // NaN fails both comparisons
  Error error = input_error("RIDGE-ACC-0210", fmt::format("{} is {}: expected {}", rule.name,
                                                          number_text(n), allowed(rule)));
  return std::move(error).hint(std::string(rule.meaning));
}

Error missing_key(const KeyRule& rule) {
  return input_error("RIDGE-ACC-0208", fmt::format("{} is missing", rule.name)).hint(said(rule));
}

}  // namespace ridge::accelerator
