// SPDX-License-Identifier: Apache-2.0
#include "attribution/attributor.h"

#include <algorithm>
#include <unordered_set>

#include "attribution/conservation.h"
#include "attribution/layers.h"
#include "attribution/leftovers.h"
#include "attribution/names.h"
#include "attribution/placer.h"
#include "attribution/value_anchors.h"

namespace ridge::attribution {
namespace {

using profile::Evidence;
using profile::Role;

/// Returns the branch that a constant condition selects; kNone if the condition is unknown.
GraphId chosen_branch(const analysis::Resolved& resolved, const graph::Node& node) {
  if (node.inputs.empty() || node.inputs[0] == kNone) return kNone;
  const ops::Value* condition = resolved.any_value(node.inputs[0]);
  if (condition == nullptr || condition->ints.size() != 1 || !condition->ints[0].known())
    return kNone;
  const std::string_view wanted = condition->ints[0].is(0) ? "else_branch" : "then_branch";
  std::size_t body = 0;
  for (const onnx::Attribute& a : node.attributes) {
    if (a.g == nullptr) continue;
    if (a.name == wanted && body < node.bodies.size()) return node.bodies[body];
    ++body;
  }
  return kNone;
}

/// Looks through every If that the runtime resolved at load time, recognized by the missing kernel
/// of that name.
void look_through_branches(const analysis::Resolved& resolved, const OptimizedGraph& graph,
                           Expansion& expansion) {
  std::unordered_set<NodeId> kept;
  for (const graph::Node& kernel : graph.model->nodes())
    if (kernel.op_type == "If") kept.insert(stem_of(kernel.name).node);
  const graph::Model& model = resolved.model();
  for (NodeId n = 0; n < model.nodes().size(); ++n) {
    if (model.node(n).op_type != "If" || expansion.expanded(n) || kept.contains(n)) continue;
    if (const GraphId body = chosen_branch(resolved, model.node(n)); body != kNone)
      expansion.look_through(n, body);
  }
}

/// Sets the evidence of members that the runtime itself lists.
void note_listed(const Original& original, const OptimizedGraph& graph, Placement& placement) {
  for (NodeId k = 0; k < graph.listed.size(); ++k)
    for (std::string_view name : graph.listed[k].originals) {
      if (name.starts_with('~')) name.remove_prefix(1);
      const ValueId v = original.tensor(name);
      const NodeId n = v == kNone ? kNone : original.producer(original.origin(v));
      if (n != kNone && placement.kernel[n] == k) placement.evidence[n] = Evidence::kRuntimeList;
    }
}

bool has_int8_kernels(const OptimizedGraph& graph) {
  return std::ranges::any_of(graph.model->nodes(), [](const graph::Node& kernel) {
    return kernel.op_type.starts_with("QLinear") || kernel.op_type.starts_with("Nhwc");
  });
}

/// Makes a layer that computes part of the node its executing layer; false if there is none.
bool take_over(Attribution& a, NodeId node) {
  for (Layer& layer : a.layers)
    for (profile::Member& m : layer.members)
      if (m.node == node && m.role == Role::kPart) {
        m.role = Role::kExecutes;
        return true;
      }
  return false;
}

}  // namespace

Result<Attribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                              const OptimizedGraph& graph, const OptimizedGraph* reference) {
  return TRY(attribute(resolved, copy, graph, reference, {})).attribution;
}

Result<CheckedAttribution> attribute(const analysis::Resolved& resolved, const Canonical& copy,
                                     const OptimizedGraph& graph, const OptimizedGraph* reference,
                                     std::span<const ValueTrial> trials) {
  Expansion expansion = Expansion::of_calls(resolved.model());
  look_through_branches(resolved, graph, expansion);
  const Original original(resolved, copy, std::move(expansion));
  const ValueNumbers numbers(original);
  Anchors anchors = find_anchors(original, numbers, graph, reference);
  const ValueAnchors by_value(original, numbers, graph, trials, anchors);
  by_value.correct(anchors);
  // Kernels without members join layers as they do without a check run.
  const Regions joined = find_regions(graph, anchors);
  Regions regions = joined;
  if (!trials.empty()) {
    by_value.extend(anchors);
    regions = find_regions(graph, anchors);
  }
  Placement placement = place(original, numbers, graph, anchors, regions);
  if (!graph.listed.empty()) note_listed(original, graph, placement);
  Leftovers leftovers = settle_leftovers(original, numbers, graph, placement);

  Attribution out;
  build_layers(original, graph, anchors, regions, joined, placement, out);
  out.without_layer = std::move(leftovers.without);
  std::ranges::sort(out.without_layer, {}, &profile::WithoutLayer::node);
  out.unplaced = std::move(leftovers.unplaced);
  std::ranges::sort(out.unplaced);
  out.tensor = std::move(anchors.value);
  out.tensor_evidence = std::move(anchors.evidence);
  out.tensor_blocked = std::move(anchors.blocked);
  TRY(check_conservation(resolved, out));
  return CheckedAttribution{std::move(out), by_value.counts()};
}

bool needs_reference(const Canonical& copy, const OptimizedGraph& graph) {
  if (!has_int8_kernels(graph)) return false;
  const graph::Model& model = *graph.model;
  std::unordered_set<std::string_view> names;
  for (const std::string_view name : copy.value_name) names.insert(name);
  return std::ranges::any_of(model.values(), [&](const graph::Value& v) {
    return v.kind == graph::ValueKind::kNodeOutput && !names.contains(v.name);
  });
}

namespace {

/// Removes the layers for which `goes` is true and lists their nodes with the reason `why`.
template <typename Goes>
void drop_layers(Attribution& a, Goes goes, profile::Why why) {
  std::vector<Layer> kept;
  std::vector<profile::Member> lost;
  for (Layer& layer : a.layers) {
    if (!goes(layer)) {
      kept.push_back(std::move(layer));
      continue;
    }
    for (const profile::Member& m : layer.members)
      if (m.role != Role::kPart) lost.push_back(m);
  }
  a.layers = std::move(kept);
  std::unordered_set<std::uint32_t> gone;
  for (const profile::Member& m : lost)
    if (!take_over(a, m.node) && gone.insert(m.node).second)
      a.without_layer.push_back({m.node, why, std::nullopt});
  std::ranges::sort(a.without_layer, {}, &profile::WithoutLayer::node);
  a.layer_of.assign(a.kernels.size(), kNone);
  for (std::uint32_t l = 0; l < a.layers.size(); ++l)
    for (const std::uint32_t k : a.layers[l].kernels) a.layer_of[k] = l;
}

bool moves_data_only(const analysis::NodeCounts& c) {
  return c.macs.is(0) && c.flops.is(0) && c.special.is(0) && c.int_ops.is(0);
}

}  // namespace

void drop_views(Attribution& attribution, const analysis::Resolved& resolved,
                const std::vector<bool>& timed) {
  const auto is_view = [&](const Layer& layer) {
    return std::ranges::none_of(layer.kernels, [&](std::uint32_t k) { return timed[k]; }) &&
           std::ranges::all_of(layer.members, [&](const profile::Member& m) {
             return resolved.model().node(m.node).bodies.empty() &&
                    moves_data_only(resolved.counts(m.node));
           });
  };
  drop_layers(attribution, is_view, profile::Why::kEliminated);
}

void drop_unexecuted(Attribution& attribution, const std::vector<bool>& executed) {
  const auto idle = [&](const Layer& layer) {
    return std::ranges::none_of(layer.kernels, [&](std::uint32_t k) { return executed[k]; });
  };
  drop_layers(attribution, idle, profile::Why::kNotExecuted);
}

}  // namespace ridge::attribution
