// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rule.h"

#include <algorithm>
#include <utility>

namespace ridge::rewrite {

std::span<const Rule> rules() {
  static const std::vector<Rule> kAll = [] {
    std::vector<Rule> all;
    // Constants come first, since others need them; pairs that undo each other last, since edits
    // leave some.
    for (const std::span<const Rule> table :
         {interface_rules(), size_rules(), channel_rules(), normalization_rules(),
          attention_rules(), pattern_rules(), inverse_rules()})
      all.insert(all.end(), table.begin(), table.end());
    return all;
  }();
  return kAll;
}

std::optional<analysis::Resolved> for_any_size(const analysis::Resolved& resolved) {
  Result<analysis::Resolved> free = analysis::resolve(
      resolved.shared_model(),
      {.sizes = {}, .shapes = {}, .free = analysis::FreeSizes::kSymbolic, .takes_arrays = false});
  return free.ok() ? std::optional(std::move(*free)) : std::nullopt;
}

std::vector<Site> Rule::find(const analysis::Resolved& resolved) const {
  if (at_sizes) return places(resolved);
  const std::optional<analysis::Resolved> free = for_any_size(resolved);
  return free ? places(*free) : std::vector<Site>();
}

Change change_of(const Rule& rule, std::span<const Site> sites) {
  if (!rule.interface.empty()) return {Effect::kInterface, rule.interface};
  const auto differs = [](const Site& site) { return !site.differs.empty(); };
  const auto first = std::ranges::find_if(sites, differs);
  if (first == sites.end()) return {};
  return {Effect::kValues, std::string(first->differs)};
}

Rewritten apply(const Rule& rule, const analysis::Resolved& resolved, std::span<const Site> sites) {
  Draft draft(resolved.shared_model());
  const std::optional<analysis::Resolved> free =
      rule.at_sizes ? std::nullopt : for_any_size(resolved);
  for (const Site& site : sites) rule.edit(free ? *free : resolved, site, draft);
  return std::move(draft).finish();
}

}  // namespace ridge::rewrite
