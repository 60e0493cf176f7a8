// Edits that make a model faster in some runtimes and change no output, and where they apply.
//
//   for (const Rule& rule : rules())
//     if (const std::vector<Site> sites = rule.find(resolved); !sites.empty())
//       const Rewritten better = apply(rule, resolved, sites);
//
// Only the main graph is edited; bodies of control flow, functions and operators of other domains
// stay as they are. Outputs of the model that remain have the same values up to rounding.
//
// Whether an edit matters depends on the runtime, which may do the same by itself: compare the
// kernels that it selects for both models. Thread rule: pure. Cost of find: O(nodes + values);
// an edit that computes new weights reads the old ones.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "rewrite/draft.h"

namespace ridge::rewrite {

/// Place where a rule applies.
struct Site {
  std::vector<graph::NodeId> nodes;     ///< nodes that the defect concerns, ascending
  graph::ValueId value = graph::kNone;  ///< input or output of the model that it concerns
  graph::NodeId at = graph::kNone;      ///< last of the nodes that are replaced
};

struct Rule {
  std::string name;  ///< "silu"; part of the id of a finding
  std::string kind;  ///< kind of a finding: "unfused_pattern"
  std::string what;  ///< statement of the defect at one site: "SiLU is spelled out"
  std::string how;   ///< imperative that describes the edit
  std::function<std::vector<Site>(const analysis::Resolved& resolved)> find = {};
  std::function<void(const analysis::Resolved& resolved, const Site& site, Draft& draft)> edit = {};
  /// Name of the one runtime that the edited model needs ("ONNX Runtime", as in RuntimeInfo::name),
  /// for edits with operators of its own; "": any.
  std::string runtime = {};
  /// True for an edit that is faster only in some models: it is worth offering only where a gain is
  /// predicted.
  bool only_if_predicted = false;
};

/// All rules, in the order in which several are to be applied, one after the other.
std::span<const Rule> rules();

/// The model with the rule applied at sites that find() returned for it.
Rewritten apply(const Rule& rule, const analysis::Resolved& resolved, std::span<const Site> sites);

// Tables that rules() joins.
std::span<const Rule> interface_rules();      ///< inputs and outputs of the model
std::span<const Rule> size_rules();           ///< free sizes
std::span<const Rule> channel_rules();        ///< scales and shifts of channels
std::span<const Rule> normalization_rules();  ///< layer and RMS normalization
std::span<const Rule> attention_rules();      ///< attention
std::span<const Rule> pattern_rules();        ///< activations that are spelled out
std::span<const Rule> inverse_rules();        ///< operators that undo each other

}  // namespace ridge::rewrite
