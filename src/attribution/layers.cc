// SPDX-License-Identifier: Apache-2.0
#include "attribution/layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "attribution/roles.h"

namespace ridge::attribution {
namespace {

using profile::Member;
using profile::Role;

/// True for kernels that a runtime inserts between others; without members they are the runtime's
/// own. Other Casts may come from a function that the runtime expanded.
bool is_insertion(const graph::Node& kernel) {
  const std::string_view op = kernel.op_type;
  return op == "Reorder" || op == "ReorderInput" || op == "ReorderOutput" || op == "Convert" ||
         op.starts_with("Memcpy") || (op == "Cast" && kernel.name.starts_with("Inserted"));
}

class Builder {
 public:
  Builder(const Original& original, const OptimizedGraph& graph, const Anchors& anchors,
          const Regions& regions, const Regions& joined, const Placement& placement,
          Attribution& out)
      : original_(original),
        graph_(graph),
        anchors_(anchors),
        regions_(regions),
        joined_(joined),
        placement_(placement),
        out_(out),
        members_(graph.model->nodes().size()),
        head_(graph.model->nodes().size(), kNone) {}

  void run() {
    for (NodeId k = 0; k < head_.size(); ++k) {
      const graph::Node& kernel = graph_.kernel(k);
      out_.kernels.push_back({std::string(kernel.name), std::string(kernel.op_type),
                              std::string(kernel.domain), kernel.parent});
    }
    collect_members();
    for (NodeId k = 0; k < head_.size(); ++k)
      if (!members_[k].empty() || is_insertion(graph_.kernel(k))) head_[k] = k;
    join_region();
    join_reader();
    for (NodeId k = 0; k < head_.size(); ++k)
      if (head_[k] == kNone) head_[k] = k;
    make_layers();
  }

 private:
  void collect_members() {
    std::vector<std::vector<NodeId>> nodes(head_.size());
    for (NodeId n = 0; n < placement_.kernel.size(); ++n)
      if (placement_.kernel[n] != kNone) nodes[placement_.kernel[n]].push_back(n);
    for (NodeId k = 0; k < nodes.size(); ++k) {
      const std::vector<NodeId> absorbed =
          absorbed_nodes(original_, nodes[k], graph_.kernel(k).op_type);
      for (const NodeId n : nodes[k]) {
        const bool gone = std::ranges::binary_search(absorbed, n);
        members_[k].push_back(
            {n, gone ? Role::kAbsorbed : Role::kExecutes, placement_.evidence[n]});
      }
    }
    for (const Part& p : placement_.parts)
      members_[p.kernel].push_back({p.node, Role::kPart, regions_.boundary[regions_.of[p.kernel]]});
  }

  /// Returns the head of the layer of the first kernel that reads an output of `k`, or produces an
  /// input of it; kNone if no such kernel has a layer yet.
  NodeId neighbor(NodeId k, bool readers, bool in_region) const {
    const graph::Node& kernel = graph_.kernel(k);
    const auto joins = [&](NodeId other) {
      return other != kNone && head_[other] != kNone && !members_[head_[other]].empty() &&
             (!in_region || joined_.of[other] == joined_.of[k]);
    };
    for (const ValueId v : readers ? kernel.outputs : kernel.inputs) {
      if (v == kNone) continue;
      if (!readers) {
        if (const NodeId maker = graph_.model->value(v).producer; joins(maker)) return head_[maker];
        continue;
      }
      for (const NodeId reader : graph_.model->consumers(v))
        if (joins(reader)) return head_[reader];
    }
    return kNone;
  }

  void join(bool readers, bool in_region) {
    const auto look = [&](NodeId k) {
      if (head_[k] == kNone) head_[k] = neighbor(k, readers, in_region);
    };
    // Readers are visited last first, so that a chain finds a head from its end: in Reorder a ->
    // Reorder b -> Conv, b takes the layer of Conv, then a takes b's. Producers are looked for in
    // forward order, for a chain behind Conv.
    if (readers)
      std::for_each(graph_.order.rbegin(), graph_.order.rend(), look);
    else
      std::for_each(graph_.order.begin(), graph_.order.end(), look);
  }

  void join_region() {
    join(true, true);
    join(false, true);
  }

  void join_reader() {
    join(true, false);
    join(false, false);
  }

  void make_layers() {
    out_.layer_of.assign(head_.size(), kNone);
    for (const NodeId k : graph_.order) {
      if (head_[k] != k) continue;
      out_.layer_of[k] = static_cast<std::uint32_t>(out_.layers.size());
      out_.layers.push_back(layer(k));
    }
    for (const NodeId k : graph_.order) {
      if (head_[k] == k) continue;
      out_.layer_of[k] = out_.layer_of[head_[k]];
      out_.layers[out_.layer_of[k]].kernels.push_back(k);
    }
    for (Layer& l : out_.layers) title(l);
  }

  Layer layer(NodeId head) {
    Layer l;
    l.kernels.push_back(head);
    l.members = std::move(members_[head]);
    members_[head].clear();
    std::ranges::sort(l.members, {}, &Member::node);
    l.inserted = l.members.empty();
    const graph::Node& kernel = graph_.kernel(head);
    const onnx::Attribute* last = graph::attribute(kernel, "channels_last");
    l.layout = "plain";
    if (!graph_.listed.empty()) {
      l.layout = graph_.listed[head].layout;
      return l;
    }
    if (blocked(kernel))
      l.layout = graph_.block > 0 ? fmt::format("blocked:{}", graph_.block) : "blocked";
    else if ((last != nullptr && last->i != 0) || kernel.op_type.starts_with("Nhwc"))
      l.layout = "channels_last";
    return l;
  }

  bool blocked(const graph::Node& kernel) const {
    if (is_blocked(kernel)) return kernel.op_type != "ReorderOutput";
    return std::ranges::any_of(kernel.outputs,
                               [&](ValueId v) { return v != kNone && anchors_.blocked[v]; });
  }

  /// Returns the member that names the layer: the first product, else the last node of the kernel's
  /// own operator, else the last node.
  NodeId main_member(const Layer& l) const {
    NodeId main = kNone;
    int best = -1;
    for (const Member& m : l.members) {
      const std::string_view op = original_.op(m.node);
      int rank = op == l.type ? 1 : 0;
      if (is_product(op)) rank = 2;
      if (m.role != Role::kExecutes) rank = -1;
      if (rank < best || (rank == 2 && best == 2)) continue;
      best = rank;
      main = m.node;
    }
    return main;
  }

  void title(Layer& l) const {
    const graph::Node& head = graph_.kernel(l.kernels[0]);
    l.type = head.op_type;
    const NodeId main = main_member(l);
    if (main == kNone) {
      l.name = head.name.empty() ? fmt::format("{}_{}", head.op_type, l.kernels[0])
                                 : std::string(head.name);
      return;
    }
    l.name = original_.node(main).name;
    if (l.name.empty()) l.name = fmt::format("{}_{}", original_.op(main), main);
    const bool decomposed = l.kernels.size() > 1 && l.members.size() == 1;
    if (decomposed && !is_product(head.op_type)) l.type = original_.op(main);
  }

  const Original& original_;
  const OptimizedGraph& graph_;
  const Anchors& anchors_;
  const Regions& regions_;
  const Regions& joined_;
  const Placement& placement_;
  Attribution& out_;
  std::vector<std::vector<Member>> members_;  // by kernel
  std::vector<NodeId> head_;                  // by kernel: the kernel whose members form its layer
};

}  // namespace

void build_layers(const Original& original, const OptimizedGraph& graph, const Anchors& anchors,
                  const Regions& regions, const Regions& joined, const Placement& placement,
                  Attribution& out) {
  Builder(original, graph, anchors, regions, joined, placement, out).run();
}

}  // namespace ridge::attribution
