#include "rewrite/patterns.h"

#include <algorithm>
#include <map>

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::NodeId;

// Pattern::differs.
constexpr std::string_view kOverflows = "beyond 88 and -88, where Exp overflows";
constexpr std::string_view kNan = "NaN, which Max, Min and Where may replace by a number";

/// Larger ones first: the Sigmoid inside a SiLU is no finding of its own. Two forms of a Gelu are
/// both in use as exporters write them; runtimes know that of PyTorch.
constexpr Pattern kPatterns[] = {
    {"mish", 1, "Mul(x, Tanh(Log(Add(Exp(x), 1))))", "Mul(x, Tanh(Softplus(x)))"},
    {"tanh", 1, "Div(Sub(Exp(x), Exp(Neg(x))), Add(Exp(x), Exp(Neg(x))))", "Tanh(x)", kOverflows},
    {"tanh", 1, "Sub(Mul(2, Sigmoid(Mul(2, x))), 1)", "Tanh(x)"},
    {"hard_swish", 14, "Div(Mul(x, Clip(Add(x, 3), 0, 6)), 6)", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Div(Clip(Add(x, 3), 0, 6), 6))", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(Mul(x, Clip(Add(x, 3), 0, 6)), 0.16666667)", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Mul(Clip(Add(x, 3), 0, 6), 0.16666667))", "HardSwish(x)"},
    {"hard_swish", 14, "Mul(x, Div(Min(Max(Add(x, 3), 0), 6), 6))", "HardSwish(x)"},
    {"hard_swish", 14, "Div(Mul(x, Min(Max(Add(x, 3), 0), 6)), 6)", "HardSwish(x)"},
    {"gelu", 9, "Mul(Mul(0.5, x), Add(Erf(Mul(x, 0.70710678)), 1))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Mul(0.5, Add(Erf(Div(x, 1.4142135)), 1)))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Mul(0.5, Add(Erf(Mul(x, 0.70710678)), 1)))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(Mul(x, Add(Erf(Mul(x, 0.70710678)), 1)), 0.5)",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Mul(x, Add(0.5, Mul(0.5, Erf(Div(x, 1.4142135)))))",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"gelu", 9, "Div(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 2)",
     "Mul(Mul(x, Add(Erf(Div(x, 1.4142135)), 1)), 0.5)"},
    {"silu", 6, "Div(x, Add(Exp(Neg(x)), 1))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Mul(x, Div(1, Add(Exp(Neg(x)), 1)))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Mul(x, Reciprocal(Add(Exp(Neg(x)), 1)))", "Mul(x, Sigmoid(x))"},
    {"silu", 6, "Div(x, Add(Exp(Mul(x, -1)), 1))", "Mul(x, Sigmoid(x))"},
    {"sigmoid", 6, "Div(1, Add(Exp(Neg(x)), 1))", "Sigmoid(x)"},
    {"sigmoid", 6, "Reciprocal(Add(Exp(Neg(x)), 1))", "Sigmoid(x)"},
    {"sigmoid", 6, "Mul(0.5, Add(Tanh(Mul(0.5, x)), 1))", "Sigmoid(x)"},
    {"softplus", 1, "Log(Add(Exp(x), 1))", "Softplus(x)", kOverflows},
    {"relu6", 12, "Min(Max(x, 0), 6)", "Clip(x, 0, 6)", kNan},
    {"relu", 6, "Max(x, 0)", "Relu(x)", kNan},
    {"relu", 6, "Where(Greater(x, 0), x, 0)", "Relu(x)", kNan},
};

struct Parsed {
  const Pattern* pattern = nullptr;
  Expression written, better;
};

/// By the operator of the root; in the order of kPatterns.
const std::map<std::string, std::vector<Parsed>, std::less<>>& parsed() {
  static const auto kParsed = [] {
    std::map<std::string, std::vector<Parsed>, std::less<>> out;
    for (const Pattern& p : kPatterns) {
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

std::span<const Pattern> patterns() { return kPatterns; }

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
