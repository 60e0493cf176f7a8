#include "rewrite/rule.h"

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

Rewritten apply(const Rule& rule, const analysis::Resolved& resolved, std::span<const Site> sites) {
  Draft draft(resolved.shared_model());
  for (const Site& site : sites) rule.edit(resolved, site, draft);
  return std::move(draft).finish();
}

}  // namespace ridge::rewrite
