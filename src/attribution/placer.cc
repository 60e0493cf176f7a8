// SPDX-License-Identifier: Apache-2.0
#include "attribution/placer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "attribution/names.h"
#include "attribution/split.h"

namespace ridge::attribution {
namespace {

using profile::Evidence;

// Maximum number of nodes already placed on other kernels that a walk passes through: a runtime
// duplicates cheap nodes, for example a DequantizeLinear or two.
constexpr std::size_t kMaxParts = 8;

class Placer {
 public:
  Placer(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
         const Anchors& anchors, const Regions& regions)
      : original_(original),
        numbers_(numbers),
        graph_(graph),
        anchors_(anchors),
        regions_(regions),
        split_(original, graph, anchors, regions) {
    const std::size_t nodes = original.order().size();
    out_.kernel.assign(nodes, kNone);
    out_.evidence.assign(nodes, Evidence::kGuess);
    out_.eliminated.assign(nodes, false);
    out_.copies.assign(graph.model->nodes().size(), false);
    reached_.assign(graph.model->nodes().size(), false);
    for (ValueId v = 0; v < anchors.value.size(); ++v)
      if (anchors.value[v] != kNone) anchored_.insert(numbers.of(anchors.value[v]));
  }

  Placement run() {
    for (const NodeId k : graph_.order) place_kernel(k);
    return std::move(out_);
  }

 private:
  void place_kernel(NodeId k) {
    std::vector<NodeId> members;
    bool makes_new = false, anchored = false;
    for (const ValueId v : graph_.kernel(k).outputs) {
      if (v == kNone || anchors_.value[v] == kNone) continue;
      anchored = true;
      const ValueId value = anchors_.value[v];
      const NodeId named = own_node(k, value);
      if (named == kNone && region_reads(k, value)) continue;
      makes_new = true;
      if (named != kNone) own_.insert(named);
      walk(value, k, members);
    }
    out_.copies[k] = anchored && !makes_new;
    if (makes_new) settle(k, members);
  }

  /// Returns the node that a kernel is named after, if it has the node's operator and produces
  /// exactly this output of it; else kNone.
  NodeId own_node(NodeId k, ValueId value) const {
    const graph::Node& kernel = graph_.kernel(k);
    const Stem stem = stem_of(kernel.name);
    const NodeId n = original_.producer(value);
    const bool own = n != kNone && stem.node == n && stem.output == kNone &&
                     original_.op(n) == kernel.op_type && kernel.name == node_name(n);
    return own ? n : kNone;
  }

  /// True if the region already reads the value: the kernel only changes its layout.
  bool region_reads(NodeId k, ValueId value) {
    const std::uint32_t region = regions_.of[k];
    auto [at, fresh] = region_inputs_.try_emplace(region);
    if (fresh) {
      for (const NodeId other : regions_.kernels[region])
        for (const ValueId v : graph_.kernel(other).inputs)
          if (v != kNone && anchors_.value[v] != kNone)
            at->second.insert(numbers_.of(anchors_.value[v]));
    }
    return at->second.contains(numbers_.of(value));
  }

  /// Collects the nodes between `start` and the anchored tensors before it.
  // Example: the original is stem Conv(x) -> a, conv Conv(a) -> c, add Add(c, a) -> t; anchored are
  // x, a and t. The walk of the second kernel starts at t: add is a member; its input c is not
  // anchored, so conv is one too; a is anchored and ends the walk. The kernel gets {conv, add}.
  void walk(ValueId start, NodeId k, std::vector<NodeId>& members) {
    const NodeId first = original_.producer(start);
    if (first == kNone) return;
    const GraphId scope = scope_of(first);
    std::vector<NodeId> pending{first};
    std::size_t parts = 0;
    while (!pending.empty()) {
      const NodeId n = pending.back();
      pending.pop_back();
      if (out_.kernel[n] != kNone) {
        if (!note_part(n, k) || ++parts > kMaxParts) continue;
      } else {
        out_.kernel[n] = k;  // provisional; also marks it as visited
        members.push_back(n);
      }
      for (const ValueId input : original_.node(n).inputs) {
        const ValueId v = original_.origin(input);
        if (v == kNone || original_.folds(v)) continue;
        const NodeId producer = original_.producer(v);
        if (producer == kNone) continue;
        // A value equal to the start is no boundary, unless an earlier kernel produced it: between
        // the two there are only nodes without effect.
        const bool same = numbers_.of(v) == numbers_.of(start) && out_.kernel[producer] == kNone;
        if (!same && anchored_.contains(numbers_.of(v))) continue;
        if (scope_of(producer) == scope) pending.push_back(producer);
      }
    }
  }

  GraphId scope_of(NodeId n) const { return original_.expansion().scope(original_.node(n).graph); }

  /// Records that kernel `k` also computes node `n`; false if the node's kernel is in the same
  /// region, which computes it once.
  bool note_part(NodeId n, NodeId k) {
    if (regions_.of[out_.kernel[n]] == regions_.of[k] || original_.neutral(n)) return false;
    const auto same = [&](const Part& p) {
      return p.node == n && regions_.of[p.kernel] == regions_.of[k];
    };
    // The walks of one kernel are consecutive, so its parts are at the end of the list.
    for (auto p = out_.parts.rbegin(); p != out_.parts.rend() && p->kernel == k; ++p)
      if (same(*p)) return false;
    out_.parts.push_back({n, k});
    return true;
  }

  void settle(NodeId k, std::vector<NodeId>& members) {
    const std::uint32_t region = regions_.of[k];
    std::sort(members.begin(), members.end(),
              [&](NodeId a, NodeId b) { return original_.rank(a) < original_.rank(b); });
    std::erase_if(members, [&](NodeId n) {
      if (!original_.neutral(n) || own_.contains(n)) return false;
      out_.kernel[n] = kNone;
      out_.eliminated[n] = true;
      return true;
    });
    if (regions_.kernels[region].size() == 1) {
      for (const NodeId n : members) out_.evidence[n] = regions_.boundary[region];
      return;
    }
    const std::vector<NodeId> fresh = reach(k);
    for (const NodeId n : members) out_.kernel[n] = kNone;
    split_.split(k, fresh, members, out_);
  }

  /// Returns the kernels that `k` depends on through tensors without anchor and that no earlier
  /// kernel reached; `k` first.
  std::vector<NodeId> reach(NodeId k) {
    std::vector<NodeId> found;
    std::vector<NodeId> pending{k};
    while (!pending.empty()) {
      const NodeId at = pending.back();
      pending.pop_back();
      if (reached_[at]) continue;
      reached_[at] = true;
      found.push_back(at);
      for (const ValueId v : graph_.kernel(at).inputs) {
        if (v == kNone || anchors_.value[v] != kNone) continue;
        const NodeId producer = graph_.model->value(v).producer;
        if (producer != kNone) pending.push_back(producer);
      }
    }
    return found;
  }

  const Original& original_;
  const ValueNumbers& numbers_;
  const OptimizedGraph& graph_;
  const Anchors& anchors_;
  const Regions& regions_;
  Split split_;
  Placement out_;
  std::unordered_set<std::uint64_t> anchored_;  // value numbers
  std::unordered_set<NodeId> own_;              // nodes with a kernel of the same name and operator
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint64_t>> region_inputs_;
  std::vector<bool> reached_;  // by kernel
};

}  // namespace

Placement place(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
                const Anchors& anchors, const Regions& regions) {
  return Placer(original, numbers, graph, anchors, regions).run();
}

}  // namespace ridge::attribution
