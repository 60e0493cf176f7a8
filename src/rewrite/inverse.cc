// SPDX-License-Identifier: Apache-2.0
// Rules for operators that undo each other.
#include <algorithm>
#include <array>

#include "rewrite/nodes.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

constexpr std::array<std::string_view, 5> kSkippedViews = {"Reshape", "Flatten", "Squeeze",
                                                           "Unsqueeze", "Identity"};

bool is_view(const graph::Model& model, NodeId n) {
  return std::ranges::any_of(kSkippedViews,
                             [&](std::string_view view) { return is(model, n, view); });
}

/// The permutation of a Transpose, without an attribute the reverse order; empty if it is unknown.
std::vector<std::int64_t> permutation(const Resolved& resolved, NodeId n) {
  const graph::Node node = resolved.model().node(n);
  if (const onnx::Attribute* perm = graph::attribute(node, "perm"))
    return {perm->ints.begin(), perm->ints.end()};
  const ops::Shape& shape = resolved.type(node.inputs[0]).shape;
  std::vector<std::int64_t> out;
  for (std::int32_t i = shape.rank; i-- > 0;) out.push_back(i);
  return out;
}

/// Example: (0, 2, 3, 1) and then (0, 3, 1, 2) leave the axes 0, 1, 2, 3 where they were.
bool undo(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second) {
  if (first.empty() || first.size() != second.size()) return false;
  for (std::size_t i = 0; i < second.size(); ++i) {
    const auto from = static_cast<std::size_t>(second[i]);
    if (from >= first.size() || first[from] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

/// True if every value of the narrow type is one of the wide type.
bool widens(onnx::DataType narrow, onnx::DataType wide) {
  using enum onnx::DataType;
  constexpr std::pair<onnx::DataType, onnx::DataType> kWider[] = {
      {kFloat, kDouble},    {kFloat16, kFloat}, {kFloat16, kDouble}, {kBfloat16, kFloat},
      {kBfloat16, kDouble}, {kInt32, kInt64},   {kInt32, kDouble},   {kInt8, kInt32},
      {kInt8, kInt64},      {kUint8, kInt32},   {kUint8, kInt64},    {kInt8, kFloat},
      {kUint8, kFloat}};
  return std::ranges::find(kWider, std::pair(narrow, wide)) != std::end(kWider);
}

/// True if all nodes from `first` to `second`, each of which reads the one before it, leave the
/// elements of the input of `first` as and where they were.
using Undoes = bool (*)(const Resolved& resolved, NodeId first, NodeId second);

bool transposes(const Resolved& resolved, NodeId first, NodeId second) {
  const graph::Model& model = resolved.model();
  return is(model, first, "Transpose") && is(model, second, "Transpose") &&
         undo(permutation(resolved, first), permutation(resolved, second));
}

bool casts(const Resolved& resolved, NodeId first, NodeId second) {
  const graph::Model& model = resolved.model();
  const auto type = [&](ValueId v) { return resolved.type(v).dtype; };
  const ValueId x = model.inputs(first)[0];
  return is(model, first, "Cast") && is(model, second, "Cast") &&
         type(x) == type(model.outputs(second)[0]) &&
         widens(type(x), type(model.outputs(first)[0]));
}

bool views(const Resolved& resolved, NodeId first, NodeId second) {
  const graph::Model& model = resolved.model();
  return is_view(model, first) && is_view(model, second) &&
         ops::same_shape(resolved.type(model.inputs(first)[0]).shape,
                         resolved.type(model.outputs(second)[0]).shape);
}

/// Longest chain of nodes that restore something: exporters write two or three.
constexpr int kLongest = 8;

/// The node of the main graph whose result a node reads first, if that may be left out of a chain.
NodeId before(const Resolved& resolved, NodeId n) {
  const graph::Model& model = resolved.model();
  const auto reads = [&](NodeId node) {
    return !model.inputs(node).empty() && model.inputs(node)[0] != kNone;
  };
  if (!reads(n)) return kNone;
  const NodeId first = model.value(model.inputs(n)[0]).producer;
  if (first == kNone || model.graph_of(first) != 0 || !reads(first)) return kNone;
  return resolved.constant(model.inputs(first)[0]) ? kNone : first;
}

/// Nodes of a chain that restores what its first node reads, from the last on; empty if there is
/// none. Only views come in longer chains than two.
std::vector<NodeId> chain_to(const Resolved& resolved, NodeId last, Undoes undoes) {
  std::vector<NodeId> chain = {last};
  const int longest = is_view(resolved.model(), last) ? kLongest : 2;
  for (NodeId n = before(resolved, last); n != kNone && std::ssize(chain) < longest;
       n = before(resolved, n)) {
    chain.push_back(n);
    if (undoes(resolved, n, last)) return chain;
    if (!is_view(resolved.model(), n)) break;
  }
  return {};
}

/// True if a node can be left out and its readers read something else.
bool can_be_left_out(const graph::Model& model, NodeId n) {
  const std::span<const ValueId> outputs = model.outputs(n);
  return outputs.size() == 1 && outputs[0] != kNone && !model.value(outputs[0]).graph_output &&
         std::ranges::all_of(model.consumers(outputs[0]),
                             [&](NodeId reader) { return model.graph_of(reader) == 0; });
}

std::vector<Site> chains(const Resolved& resolved, Undoes undoes) {
  const graph::Model& model = resolved.model();
  std::vector<Site> sites;
  std::vector<bool> taken(model.nodes().size());
  for (const NodeId last : model.main().order) {
    std::vector<NodeId> chain = chain_to(resolved, last, undoes);
    if (chain.empty() || !can_be_left_out(model, last)) continue;
    if (std::ranges::any_of(chain, [&](NodeId n) { return taken[n]; })) continue;
    taken[last] = true;  // it is no longer there for another chain
    std::ranges::sort(chain);
    sites.push_back({std::move(chain), kNone, last});
  }
  return sites;
}

Rule inverse_rule(std::string name, std::string_view what, Undoes undoes) {
  return {.name = std::move(name),
          .kind = "overhead",
          .what = std::string(what),
          .how = "remove them",
          .places = [undoes](const Resolved& resolved) { return chains(resolved, undoes); },
          // Readers of the last read what the first reads; the others stay if somebody reads them.
          .edit =
              [undoes](const Resolved& resolved, const Site& site, Draft& draft) {
                const graph::Model& model = resolved.model();
                const NodeId first = chain_to(resolved, site.at, undoes).back();
                draft.redirect(model.outputs(site.at)[0], model.inputs(first)[0]);
              }};
}

}  // namespace

std::span<const Rule> inverse_rules() {
  static const std::array<Rule, 3> kRules = {
      inverse_rule("transposes", "two Transpose nodes undo each other", transposes),
      inverse_rule("casts", "two Cast nodes undo each other", casts),
      inverse_rule("views", "nodes that only change the shape restore it", views)};
  return kRules;
}

}  // namespace ridge::rewrite
