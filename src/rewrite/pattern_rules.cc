// SPDX-License-Identifier: Apache-2.0
#include "rewrite/patterns.h"

#include <algorithm>
#include <map>

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::NodeId;

struct Parsed {
  const Pattern* pattern = nullptr;
  Expression written, better;
};

/// By the operator of the root; in the order of patterns().
const std::map<std::string, std::vector<Parsed>, std::less<>>& parsed() {
  static const auto kParsed = [] {
    std::map<std::string, std::vector<Parsed>, std::less<>> out;
    for (const Pattern& p : patterns()) {
      Parsed parsed{&p, Expression::parse(p.written), Expression::parse(p.better)};
      out[parsed.written.op_type].push_back(std::move(parsed));
    }
    return out;
  }();
  return kParsed;
}

struct Found {
  const Parsed* parsed = nullptr;
  Match match;
};

std::optional<Found> found_at(const Resolved& resolved, NodeId root) {
  const graph::NodeKind& kind = resolved.model().kind(root);
  const auto candidates = parsed().find(kind.op_type);
  if (candidates == parsed().end() || !kind.domain.empty()) return std::nullopt;
  for (const Parsed& p : candidates->second) {
    if (kind.opset < p.pattern->opset) continue;
    if (std::optional<Match> m = match(p.written, resolved, root)) return Found{&p, std::move(*m)};
  }
  return std::nullopt;
}

/// Places of a rule that are not part of a larger pattern.
std::vector<Site> find_pattern(std::string_view rule, const Resolved& resolved) {
  const auto& order = resolved.model().main().order;
  std::vector<bool> taken(resolved.model().nodes().size());
  std::vector<Site> sites;
  // Readers come first, so that a pattern is found before those inside it.
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    if (taken[*n]) continue;
    const std::optional<Found> found = found_at(resolved, *n);
    if (!found) continue;
    for (const NodeId member : found->match.nodes) taken[member] = true;
    if (found->parsed->pattern->rule == rule)
      sites.push_back(
          {found->match.nodes, graph::kNone, found->match.root, found->parsed->pattern->differs});
  }
  std::ranges::reverse(sites);
  return sites;
}

void edit_pattern(const Resolved& resolved, const Site& site, Draft& draft) {
  const std::optional<Found> found = found_at(resolved, site.at);
  replace(found->match, found->parsed->better, draft);
}

Rule pattern_rule(std::string name, std::string_view shown, std::string_view how) {
  Rule rule{.name = name,
            .kind = "unfused_pattern",
            .what = std::string(shown) + " is spelled out in a form that the runtime does not fuse",
            .how = std::string(how),
            .places = {},
            .edit = edit_pattern};
  rule.places = [name = std::move(name)](const Resolved& resolved) {
    return find_pattern(name, resolved);
  };
  return rule;
}

}  // namespace

std::span<const Rule> pattern_rules() {
  static const std::vector<Rule> kRules = {
      pattern_rule("mish", "Mish", "write it as x * Tanh(Softplus(x))"),
      pattern_rule("tanh", "Tanh", "use the operator Tanh"),
      pattern_rule("hard_swish", "HardSwish", "use the operator HardSwish"),
      pattern_rule("gelu", "Gelu", "write it as x * (Erf(x / sqrt(2)) + 1) * 0.5"),
      pattern_rule("silu", "SiLU", "write it as x * Sigmoid(x)"),
      pattern_rule("sigmoid", "Sigmoid", "use the operator Sigmoid"),
      pattern_rule("softplus", "Softplus", "use the operator Softplus"),
      pattern_rule("relu6", "ReLU6", "use the operator Clip with the bounds 0 and 6"),
      pattern_rule("relu", "ReLU", "use the operator Relu")};
  return kRules;
}

}  // namespace ridge::rewrite
