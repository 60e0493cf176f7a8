// SPDX-License-Identifier: Apache-2.0
#include "attribution/leftovers.h"

#include <unordered_map>

namespace ridge::attribution {
namespace {

using profile::Evidence;
using profile::Why;

class Settler {
 public:
  Settler(const Original& original, const ValueNumbers& numbers, const OptimizedGraph& graph,
          Placement& placement)
      : original_(original), numbers_(numbers), graph_(graph), placement_(placement) {
    for (const NodeId n : original.order())
      if (placement.kernel[n] != kNone) note_computed(n);
  }

  Leftovers run() {
    if (!graph_.listed.empty())
      for (const std::string_view mark : {"", "~"})  // what makes a tensor before parts of it
        for (const NodeId k : graph_.order) place_listed(k, mark);
    const std::span<const NodeId> order = original_.order();
    std::vector<NodeId> open;
    // Backwards: the owner of a body and the readers of a node precede it.
    for (std::size_t i = order.size(); i-- > 0;) {
      const NodeId n = order[i];
      if (placement_.kernel[n] != kNone) continue;
      if (const auto row = explanation(n))
        out_.without.push_back(*row);
      else if (!inside_owner(n) && !with_reader(n))
        open.push_back(n);
    }
    for (std::size_t i = open.size(); i-- > 0;)
      if (!with_producer(open[i])) out_.unplaced.push_back(open[i]);
    return std::move(out_);
  }

 private:
  void note_computed(NodeId n) {
    for (const ValueId v : original_.node(n).outputs)
      if (v != kNone) computed_.emplace(numbers_.of(v), n);
  }

  /// The nodes that the runtime lists for a kernel and that nothing else places or explains.
  void place_listed(NodeId k, std::string_view mark) {
    for (const std::string_view name : graph_.listed[k].originals) {
      if (!name.starts_with(mark)) continue;
      const ValueId v = original_.tensor(name.substr(mark.size()));
      const NodeId n = v == kNone ? kNone : original_.producer(v);
      if (n == kNone || placement_.kernel[n] != kNone || explanation(n)) continue;
      placement_.kernel[n] = k;
      placement_.evidence[n] = Evidence::kRuntimeList;
      note_computed(n);
    }
  }

  /// Why a node needs no kernel, if it needs none.
  std::optional<profile::WithoutLayer> explanation(NodeId n) const {
    if (branch_not_taken(n)) return row(n, Why::kNotExecuted);
    if (original_.expansion().expanded(n)) return row(n, Why::kEliminated);
    if (original_.folds_node(n)) return row(n, Why::kFolded);
    if (placement_.eliminated[n] || !original_.live(n) || original_.neutral(n))
      return row(n, Why::kEliminated);
    for (const ValueId v : original_.node(n).outputs) {
      if (v == kNone) continue;
      const auto same = computed_.find(numbers_.of(v));
      if (same != computed_.end()) return row(n, Why::kMerged, same->second);
    }
    return std::nullopt;
  }

  static profile::WithoutLayer row(NodeId n, Why why,
                                   std::optional<std::uint32_t> with = std::nullopt) {
    return {n, why, with};
  }

  /// True for a node in the body of an If whose other branch was selected at load time.
  bool branch_not_taken(NodeId n) const {
    for (NodeId at = n; original_.node(at).parent != kNone; at = original_.node(at).parent) {
      const NodeId owner = original_.node(at).parent;
      const GraphId chosen = original_.expansion().body(owner);
      if (chosen != kNone && chosen != original_.node(at).graph) return true;
    }
    return false;
  }

  /// Places a node of a body without kernels in the kernel of its owner.
  bool inside_owner(NodeId n) {
    for (NodeId owner = original_.node(n).parent; owner != kNone;
         owner = original_.node(owner).parent) {
      if (original_.expansion().expanded(owner) || placement_.kernel[owner] == kNone) continue;
      return adopt(n, owner, Evidence::kRegion);
    }
    return false;
  }

  bool with_reader(NodeId n) {
    for (const ValueId v : original_.node(n).outputs)
      if (v != kNone)
        for (const NodeId reader : original_.readers(original_.origin(v)))
          if (placement_.kernel[reader] != kNone) return adopt(n, reader, Evidence::kGuess);
    return false;
  }

  bool with_producer(NodeId n) {
    for (const ValueId v : original_.node(n).inputs)
      if (const NodeId p = original_.producer(v); p != kNone && placement_.kernel[p] != kNone)
        return adopt(n, p, Evidence::kGuess);
    return false;
  }

  bool adopt(NodeId n, NodeId from, Evidence evidence) {
    placement_.kernel[n] = placement_.kernel[from];
    placement_.evidence[n] = evidence;
    return true;
  }

  const Original& original_;
  const ValueNumbers& numbers_;
  const OptimizedGraph& graph_;
  Placement& placement_;
  Leftovers out_;
  std::unordered_map<std::uint64_t, NodeId> computed_;  // by value number
};

}  // namespace

Leftovers settle_leftovers(const Original& original, const ValueNumbers& numbers,
                           const OptimizedGraph& graph, Placement& placement) {
  return Settler(original, numbers, graph, placement).run();
}

}  // namespace ridge::attribution
