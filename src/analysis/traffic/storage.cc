// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/storage.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis/bodies.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

bool same_size(const ops::Type& a, const ops::Type& b, ops::DimPool& dims) {
  if (a.dtype != b.dtype || !a.shape.ranked() || !b.shape.ranked()) return false;
  return dims.product(a.shape.span()).same(dims.product(b.shape.span()));
}

/// Branch that is counted: the one whose nodes run, else one without nodes.
graph::GraphId taken_branch(const Resolved& r, const graph::Node& node) {
  graph::GraphId without_nodes = kNone;
  for (const graph::GraphId g : node.bodies) {
    const auto order = r.model().graphs()[g].order;
    if (order.empty() && without_nodes == kNone) without_nodes = g;
    if (!order.empty() && !r.repeat(order[0]).is(0)) return g;
  }
  return without_nodes;
}

}  // namespace

Storage::Storage(const Resolved& resolved, const Fusion& fusion)
    : r_(resolved), model_(resolved.model()), home_(model_.values().size()) {
  std::iota(home_.begin(), home_.end(), ValueId{0});
  for (NodeId n = 0; n < model_.nodes().size(); ++n) {
    if (model_.node(n).bodies.empty())
      unite_views(n);
    else
      unite_bodies(n);
  }
  for (const auto& [from, to] : fusion.same) unite(from, to);
  for (ValueId v = 0; v < home_.size(); ++v) home_[v] = find(v);
  find_last_uses(fusion);
}

ValueId Storage::find(ValueId v) {
  while (home_[v] != v) v = home_[v] = home_[home_[v]];
  return v;
}

/// Graphs come after the graph that encloses them, so the lower id is the outer one.
void Storage::unite(ValueId a, ValueId b) {
  if (a == kNone || b == kNone) return;
  a = find(a), b = find(b);
  if (model_.value(b).graph < model_.value(a).graph) std::swap(a, b);
  home_[b] = a;
}

void Storage::unite_views(NodeId n) {
  const graph::Node& node = model_.node(n);
  const NodeCounts& c = r_.counts(n);
  if (node.inputs.empty() || node.outputs.empty() || !c.bytes_read.is(0) || !c.bytes_written.is(0))
    return;
  const ValueId in = node.inputs[0], out = node.outputs[0];
  if (in != kNone && out != kNone && same_size(r_.type(in), r_.type(out), r_.dims()))
    unite(in, out);
}

void Storage::unite_bodies(NodeId n) {
  const graph::Node& node = model_.node(n);
  const Bodies kind = bodies_of(node);
  const graph::GraphId taken = kind == Bodies::kCall ? node.bodies[0]
                               : kind == Bodies::kIf ? taken_branch(r_, node)
                                                     : kNone;
  if (taken == kNone) return;
  const graph::Graph& body = model_.graphs()[taken];
  for (std::size_t i = 0; i < body.inputs.size() && i < node.inputs.size(); ++i)
    if (kind == Bodies::kCall) unite(node.inputs[i], body.inputs[i]);
  for (std::size_t i = 0; i < body.outputs.size() && i < node.outputs.size(); ++i)
    unite(node.outputs[i], body.outputs[i]);
}

void Storage::find_last_uses(const Fusion& fusion) {
  std::vector<std::uint32_t> position(model_.nodes().size());
  for (const graph::Graph& g : model_.graphs()) {
    std::uint32_t at = 0;
    for (const NodeId n : g.order) position[n] = at++;
  }
  std::vector<NodeId> last(home_.size(), kNone);
  std::vector<bool> kept(home_.size());
  const auto used = [&](ValueId home, NodeId n) {
    while (model_.node(n).graph != model_.value(home).graph)
      n = model_.graphs()[model_.node(n).graph].owner;
    n = fusion.runs_with[n];
    if (last[home] == kNone || position[last[home]] < position[n]) last[home] = n;
  };
  for (ValueId v = 0; v < home_.size(); ++v) {
    const graph::Value& value = model_.value(v);
    if (value.producer != kNone) used(home_[v], value.producer);
    for (const NodeId n : model_.consumers(v)) used(home_[v], n);
  }
  for (const auto& [taken, from] : fusion.instead) used(home_[from], taken.first);
  for (graph::GraphId g = 0; g < model_.graphs().size(); ++g) {
    const graph::Graph& graph = model_.graphs()[g];
    for (const ValueId v : graph.outputs)
      if (v != kNone && model_.value(home_[v]).graph == g) kept[home_[v]] = true;
    for (const ValueId v : graph.inputs)  // an unused input is freed after the first node
      if (!graph.order.empty() && home_[v] == v && last[v] == kNone) used(v, graph.order[0]);
  }

  first_.resize(model_.nodes().size(), kNone);
  next_.resize(home_.size(), kNone);
  for (ValueId v = 0; v < home_.size(); ++v) {
    if (home_[v] != v || last[v] == kNone || kept[v]) continue;
    next_[v] = first_[last[v]];
    first_[last[v]] = v;
  }
}

}  // namespace ridge::analysis
