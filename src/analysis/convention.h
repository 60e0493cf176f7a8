// Other tools' single figures, made from a resolved model by a table of rules.
//
//   const Convention* timm = find_convention("timm");
//   ConventionCount count = count_by(*timm, resolved);
//   count.total                        // of timm->unit, a Dim like every figure
//   count.nodes[n]
//
// What a tool counts is a sum of factor x quantity for each operator (convention_tables.cc, with
// sources); what it leaves out counts 0 here too, as its published figures do. Nodes that weights
// and sizes alone decide (folded constants, shape arithmetic) count nothing in any tool. A node
// that ridge cannot resolve stays unknown and makes the total incomplete, whatever the tool makes
// of it. docs/reference/conventions.md explains each convention; tests/data/conventions.csv holds
// published figures that each reproduces.
// Cost: O(nodes). Thread rule: pure; expressions go into the Resolved's pool.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

/// What a rule sees of one node.
class ConventionNode {
 public:
  ConventionNode(const Resolved& resolved, graph::NodeId id)
      : r_(resolved), id_(id), node_(resolved.model().node(id)), counts_(resolved.counts(id)) {}

  const graph::Node& node() const { return node_; }
  const NodeCounts& counts() const { return counts_; }
  ops::Dim repeat() const { return r_.repeat(id_); }
  ops::DimPool& dims() const { return r_.dims(); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  bool has_weight() const;  ///< one of its inputs is a constant
  /// Elements over all executions; unknown where the input or output is not there.
  ops::Dim input_elements(std::size_t i) const;
  ops::Dim output_elements() const;
  /// -1 where it is not known.
  std::int64_t input_rank(std::size_t i) const;
  /// One size of an input; negative axes count from the end.
  ops::Dim input_size(std::size_t i, std::int64_t axis) const;
  std::int64_t int_attribute(std::string_view name, std::int64_t fallback) const;
  std::span<const std::int64_t> ints_attribute(std::string_view name) const;
  std::string_view string_attribute(std::string_view name, std::string_view fallback) const;

 private:
  ops::Dim elements(graph::ValueId v) const;

  const Resolved& r_;
  graph::NodeId id_;
  graph::Node node_;
  const NodeCounts& counts_;
};

using Quantity = ops::Dim (*)(const ConventionNode&);

struct ConventionTerm {
  std::int64_t factor = 0;
  Quantity of = nullptr;
};

struct ConventionRule {
  std::string_view op_type;
  ConventionTerm terms[3];
};

struct Convention {
  std::string_view name;   ///< as --convention takes it
  std::string_view unit;   ///< what one of them is: "MACs", or "FLOPs" where a MAC is 2
  std::string_view label;  ///< what the tool itself prints: `scale` of them, to `digits` decimals
  std::int64_t scale = 1;
  int digits = 0;
  std::string_view note;  ///< what is in it, in a few words
  std::span<const ConventionRule> rules;
  ConventionTerm otherwise;  ///< for operators without a rule
};

/// In the order that --help lists; "ridge" first.
std::span<const Convention> conventions();
const Convention* find_convention(std::string_view name);

struct ConventionCount {
  const Convention* convention = nullptr;
  std::vector<ops::Dim> nodes;  ///< by NodeId
  ops::Dim total{0};            ///< of those that are known
  bool complete = true;         ///< false: a node is unknown
};

ConventionCount count_by(const Convention& convention, const Resolved& resolved);

/// Sums over the nodes of an operator that are known, by operator_name().
std::map<std::string, ops::Dim> by_operator(const ConventionCount& count, const Resolved& resolved);

}  // namespace ridge::analysis
