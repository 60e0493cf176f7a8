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

constexpr std::array<std::string_view, 5> kViews = {"Reshape", "Flatten", "Squeeze", "Unsqueeze",
                                                    "Identity"};

bool is_view(const graph::Model& model, NodeId n) {
  return std::ranges::any_of(kViews, [&](std::string_view view) { return is(model, n, view); });
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

/// True if a node can be left out and its readers read something else.
bool replaceable(const graph::Model& model, NodeId n) {
  const std::span<const ValueId> outputs = model.outputs(n);
  return outputs.size() == 1 && outputs[0] != kNone && !model.value(outputs[0]).graph_output &&
         std::ranges::all_of(model.consumers(outputs[0]),
                             [&](NodeId reader) { return model.graph_of(reader) == 0; });
}

std::vector<Site> pairs(const Resolved& resolved, Undoes undoes) {
  const graph::Model& model = resolved.model();
  std::vector<Site> sites;
  std::vector<bool> taken(model.nodes().size());
  for (const NodeId second : model.main().order) {
    if (model.inputs(second).empty() || model.inputs(second)[0] == kNone) continue;
    const NodeId first = model.value(model.inputs(second)[0]).producer;
    if (first == kNone || taken[first] || model.graph_of(first) != 0) continue;
    if (model.inputs(first).empty() || model.inputs(first)[0] == kNone) continue;
    if (resolved.constant(model.inputs(first)[0])) continue;
    if (!replaceable(model, second) || !undoes(resolved, first, second)) continue;
    taken[second] = true;  // it is no longer there for a third
    sites.push_back({{std::min(first, second), std::max(first, second)}, kNone, second});
  }
  return sites;
}

/// Readers of the second read what the first reads; the first stays if others read it.
void leave_out(const Resolved& resolved, const Site& site, Draft& draft) {
  const graph::Model& model = resolved.model();
  const NodeId first = model.value(model.inputs(site.at)[0]).producer;
  draft.redirect(model.outputs(site.at)[0], model.inputs(first)[0]);
}

Rule rule_of(std::string name, std::string_view what, Undoes undoes) {
  return {.name = std::move(name),
          .kind = "overhead",
          .what = std::string(what),
          .how = "remove both",
          .places = [undoes](const Resolved& resolved) { return pairs(resolved, undoes); },
          .edit = leave_out};
}

}  // namespace

std::span<const Rule> inverse_rules() {
  static const std::array<Rule, 3> kRules = {
      rule_of("transposes", "two Transpose nodes undo each other", transposes),
      rule_of("casts", "two Cast nodes undo each other", casts),
      rule_of("views", "two nodes that only change the shape undo each other", views)};
  return kRules;
}

}  // namespace ridge::rewrite
