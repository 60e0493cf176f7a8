// SPDX-License-Identifier: Apache-2.0
// Counts as other tools report them, computed from a resolved model by a table of rules per tool.
//
//   const Convention* timm = find_convention("timm");
//   ConventionCount count = count_by(*timm, resolved);
//   count.total                        // in timm->unit, a Dim like every count
//   count.nodes[n]
//
// A tool's count is a sum of factor x quantity for each operator (convention_tables.cc, with
// sources); operators that a tool omits count 0 here too, to match its published figures. Nodes
// whose outputs depend on weights and sizes alone (folded constants, shape arithmetic) count 0 in
// every tool. A node that ridge cannot resolve stays unknown and makes the total incomplete,
// however the tool treats it. docs/reference/conventions.md explains each convention;
// tests/data/conventions.csv has the published figures that each convention reproduces.
// Cost: O(nodes). Thread safety: pure, except that expressions are added to the Resolved's pool.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::analysis {

/// View of one node for the rules.
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
  bool has_weight() const;  ///< at least one input is a constant
  /// Element count over all executions; unknown if the input or output is absent.
  ops::Dim input_elements(std::size_t i) const;
  ops::Dim output_elements() const;
  /// -1 if unknown.
  std::int64_t input_rank(std::size_t i) const;
  /// Size of one axis of an input; negative axes count from the end.
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
  std::string_view name;  ///< name on the command line (--convention)
  std::string_view unit;  ///< unit of the count: "MACs", or "FLOPs" where a MAC is 2
  /// unit that the tool itself prints: `scale` units, to `digits` decimals
  std::string_view label;
  std::int64_t scale = 1;
  int digits = 0;
  std::string_view note;  ///< short summary of what is counted
  std::span<const ConventionRule> rules;
  ConventionTerm otherwise;  ///< for operators without a rule
};

/// Conventions in the order of --help; "ridge" is first.
std::span<const Convention> conventions();
const Convention* find_convention(std::string_view name);
/// Names of the conventions, and the units that they count in.
std::span<const std::string_view> convention_names();
std::span<const std::string_view> convention_units();

struct ConventionCount {
  const Convention* convention = nullptr;
  std::vector<ops::Dim> nodes;  ///< by NodeId
  ops::Dim total{0};            ///< sum of the known nodes
  bool complete = true;         ///< false if a node is unknown
};

ConventionCount count_by(const Convention& convention, const Resolved& resolved);

/// Sum over the known nodes of each operator, by operator_name().
std::map<std::string, ops::Dim> by_operator(const ConventionCount& count, const Resolved& resolved);

}  // namespace ridge::analysis
