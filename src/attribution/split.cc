// SPDX-License-Identifier: Apache-2.0
#include "attribution/split.h"

#include <algorithm>
#include <deque>

#include "attribution/names.h"

namespace ridge::attribution {

using profile::Evidence;

KernelPool::KernelPool(const OptimizedGraph& graph, const std::vector<NodeId>& kernels) {
  for (const NodeId k : kernels) {
    const std::string_view op = graph.kernel(k).op_type;
    by_op_[op].kernels.push_back(k);
    if (is_product(op)) products_.kernels.push_back(k);
  }
}

NodeId KernelPool::next(std::string_view op, const std::vector<bool>& taken) {
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? kNone : found->second.next(taken);
}

NodeId KernelPool::Line::next(const std::vector<bool>& taken) {
  while (at < kernels.size() && taken[kernels[at]]) ++at;
  return at < kernels.size() ? kernels[at] : kNone;
}

Split::Split(const Original& original, const OptimizedGraph& graph, const Anchors& anchors,
             const Regions& regions)
    : original_(original),
      graph_(graph),
      regions_(regions),
      taken_(graph.model->nodes().size()),
      multiplies_(graph.model->nodes().size()) {
  const std::size_t nodes = original.order().size();
  called_after_.assign(nodes, kNone);
  makes_.assign(nodes, kNone);
  makes_named_.assign(nodes, kNone);
  const auto first = [](NodeId& slot, NodeId k) {
    if (slot == kNone) slot = k;
  };
  for (const NodeId k : graph.order) {
    const graph::Node& kernel = graph.kernel(k);
    if (const NodeId n = named_node(original, kernel); n != kNone) first(called_after_[n], k);
    if (!graph.listed.empty()) note_listed(k);
    for (const ValueId v : kernel.outputs) {
      if (v == kNone) continue;
      if (anchors.value[v] != kNone) {
        if (const NodeId n = original.producer(anchors.value[v]); n != kNone) first(makes_[n], k);
        continue;
      }
      const Stem stem = stem_of(graph.model->value(v).name);
      if (stem.whole && stem.output == kNone && stem.node < nodes)
        first(makes_named_[stem.node], k);
    }
  }
}

/// Assigns listed nodes to kernel `k`; a kernel that produces a node's output precedes kernels that
/// compute parts of it, which are marked '~'.
void Split::note_listed(NodeId k) {
  for (const std::string& name : graph_.listed[k].originals) {
    const ValueId v = original_.tensor(name);
    const NodeId n = v == kNone ? kNone : original_.producer(original_.origin(v));
    if (n != kNone) called_after_[n] = k;
  }
}

// Example: members one MatMul, act Relu, two MatMul, last Tanh; kernels k0 MatMul, k1 "r1" Relu, k2
// FusedMatMulActivation, with r1 the name of act in the copy. act goes to k1 (rule a); one goes to
// k0, the free kernel of its operator (d); two is a product and goes to k2, the free product kernel
// (e); last goes to k2 with its neighbor two (f).
void Split::split(NodeId end, const std::vector<NodeId>& fresh, const std::vector<NodeId>& members,
                  Placement& out) {
  const std::uint32_t region = regions_.of[end];
  const Evidence boundary = regions_.boundary[region];
  const auto inside = [&](NodeId k) { return k != kNone && regions_.of[k] == region; };
  std::vector<NodeId> rest;
  for (const NodeId n : members) {
    const NodeId maker = makes_[n];
    if (inside(called_after_[n]))
      put(n, called_after_[n], graph_.listed.empty() ? Evidence::kRenamed : boundary, out);
    else if (inside(maker) && graph_.kernel(maker).op_type == original_.op(n))
      put(n, maker, boundary, out);
    else if (inside(makes_named_[n]))
      put(n, makes_named_[n], Evidence::kRenamed, out);
    else
      rest.push_back(n);
  }
  KernelPool near(graph_, fresh);
  KernelPool& all = pools_.try_emplace(region, graph_, regions_.kernels[region]).first->second;
  for (const NodeId n : rest) {
    NodeId k = near.next(original_.op(n), taken_);
    if (k == kNone) k = all.next(original_.op(n), taken_);
    if (k == kNone && is_product(original_.op(n))) {
      k = near.next_product(multiplies_);
      if (k == kNone) k = all.next_product(multiplies_);
      if (k == kNone) k = all.only_product();
    }
    if (k != kNone) put(n, k, Evidence::kRegion, out);
  }
  by_neighbor(members, out);
  for (const NodeId n : members)
    if (out.kernel[n] == kNone) put(n, end, Evidence::kRegion, out);

  // If all are on one kernel nothing was divided, and the boundary proves the membership.
  const bool whole = std::ranges::all_of(
      members, [&](NodeId n) { return out.kernel[n] == out.kernel[members[0]]; });
  if (!whole) return;
  for (const NodeId n : members) out.evidence[n] = boundary;
}

/// Assigns unplaced members to the kernels of their neighbors, starting from members in products.
void Split::by_neighbor(const std::vector<NodeId>& members, Placement& out) const {
  std::deque<NodeId> placed;
  std::unordered_map<NodeId, bool> member;
  for (const NodeId n : members) {
    member.emplace(n, true);
    if (out.kernel[n] == kNone) continue;
    if (is_product(graph_.kernel(out.kernel[n]).op_type))
      placed.push_front(n);
    else
      placed.push_back(n);
  }
  const auto spread = [&](NodeId from, NodeId to) {
    if (to == kNone || !member.contains(to) || out.kernel[to] != kNone) return;
    out.kernel[to] = out.kernel[from];
    out.evidence[to] = Evidence::kRegion;
    placed.push_back(to);
  };
  while (!placed.empty()) {
    const NodeId n = placed.front();
    placed.pop_front();
    for (const ValueId v : original_.node(n).outputs)
      if (v != kNone)
        for (const NodeId reader : original_.readers(original_.origin(v))) spread(n, reader);
    for (const ValueId v : original_.node(n).inputs) spread(n, original_.producer(v));
  }
}

void Split::put(NodeId n, NodeId kernel, Evidence evidence, Placement& out) {
  out.kernel[n] = kernel;
  out.evidence[n] = evidence;
  if (graph_.kernel(kernel).op_type == original_.op(n)) taken_[kernel] = true;
  if (is_product(original_.op(n))) multiplies_[kernel] = true;
}

}  // namespace ridge::attribution
