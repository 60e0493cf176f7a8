// SPDX-License-Identifier: Apache-2.0
// Edits that make a model faster in some runtimes and change no output, and where they apply.
//
//   for (const Rule& rule : rules())
//     if (const std::vector<Site> sites = rule.find(resolved); !sites.empty())
//       const Rewritten better = apply(rule, resolved, sites);
//
// Only the main graph is edited; bodies of control flow, functions and operators of other domains
// stay as they are. What an edit does to the outputs is its Effect.
//
// A rule decides on shapes that hold for any size that the model leaves free (for_any_size()), not
// for those that it is bound to: a Reshape that changes nothing for one sample may do so for two. A
// size that is unknown equals no other.
//
// Whether an edit matters depends on the runtime, which may do the same by itself: compare the
// kernels that it selects for both models. Thread rule: pure. Cost of find: O(nodes + values);
// an edit that computes new weights reads the old ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "rewrite/draft.h"

namespace ridge::rewrite {

/// Change of what a caller of the model sees.
enum class Effect : std::uint8_t {
  kRounding,   ///< nothing but rounding
  kValues,     ///< outputs, for some inputs beyond rounding
  kInterface,  ///< the inputs or outputs that the model has, or the sizes that it takes
};

/// Place where a rule applies.
struct Site {
  std::vector<graph::NodeId> nodes;     ///< nodes that the defect concerns, ascending
  graph::ValueId value = graph::kNone;  ///< input or output of the model that it concerns
  graph::NodeId at = graph::kNone;      ///< last of the nodes that are replaced
  /// Inputs for which the edited model computes other values, by its definition; "": none.
  std::string_view differs = {};
};

struct Rule {
  std::string name;  ///< "silu"; part of the id of a finding
  std::string kind;  ///< kind of a finding: "unfused_pattern"
  std::string what;  ///< statement of the defect at one site: "SiLU is spelled out"
  std::string how;   ///< imperative that describes the edit
  /// Both get the model for any size (for_any_size()), or at its sizes if `at_sizes`.
  std::function<std::vector<Site>(const analysis::Resolved& resolved)> places = {};
  std::function<void(const analysis::Resolved& resolved, const Site& site, Draft& draft)> edit = {};
  /// Name of the one runtime that the edited model needs ("ONNX Runtime", as in RuntimeInfo::name),
  /// for edits with operators of its own; "": any.
  std::string runtime = {};
  /// True for an edit that is faster only in some models: it is worth offering only where a gain is
  /// predicted.
  bool only_if_predicted = false;
  /// Change of the interface; "": none.
  std::string interface = {};
  bool at_sizes = false;  ///< for rules on the interface, which replace no node

  std::vector<Site> find(const analysis::Resolved& resolved) const;
};

/// All rules, in the order in which several are to be applied, one after the other.
std::span<const Rule> rules();

/// Effect of the edit at these sites, and where it shows: "" for kRounding.
struct Change {
  Effect effect = Effect::kRounding;
  std::string where;
};
Change change_of(const Rule& rule, std::span<const Site> sites);

/// The model with its free sizes as symbols, and without the values that the user gives for inputs.
/// std::nullopt: it cannot be resolved so.
std::optional<analysis::Resolved> for_any_size(const analysis::Resolved& resolved);

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
