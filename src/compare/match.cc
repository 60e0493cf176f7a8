// SPDX-License-Identifier: Apache-2.0
#include "compare/match.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "analysis/signature.h"
#include "compare/align.h"

namespace ridge::compare {
namespace {

using analysis::Likeness;
using analysis::Resolved;
using analysis::signatures;
using graph::kNone;
using graph::NodeId;
using LayerKeys = std::vector<std::uint64_t>;

constexpr std::size_t kLikenesses = 7;
/// Weight of a node with MACs that has no partner; other nodes weigh 1.
constexpr std::size_t kWeightOfMacs = 8;

enum class Which : std::uint8_t { kAll, kWithMacs, kNamed };

/// One of the two models: its nodes in order and their keys for every likeness, computed on demand.
struct ModelSide {
  explicit ModelSide(const Resolved& r) : resolved(r) {
    for (const graph::Graph& g : r.model().graphs())
      order.insert(order.end(), g.order.begin(), g.order.end());
    for (const NodeId n : order) {
      if (has_macs(n)) with_macs.push_back(n);
      if (!r.model().node(n).name.empty()) named.push_back(n);
    }
  }
  const LayerKeys& by(Likeness likeness) const {
    LayerKeys& made = keys[static_cast<std::size_t>(likeness)];
    if (made.empty()) made = signatures(resolved, likeness);
    return made;
  }
  KeyedNodes keyed(Likeness likeness, Which which = Which::kAll) const {
    const auto& nodes = which == Which::kAll ? order : which == Which::kNamed ? named : with_macs;
    return {nodes, by(likeness)};
  }
  bool has_macs(NodeId n) const { return !resolved.counts(n).macs.is(0); }

  const Resolved& resolved;
  std::vector<NodeId> order, with_macs, named;
  mutable std::array<LayerKeys, kLikenesses> keys;
};

// Partners are compared with kNone below.
static_assert(kNoPartner == kNone);

class Aligner {
 public:
  Aligner(const ModelSide& a, const ModelSide& b) : a_(a), b_(b), pairs_(a.order, b.order) {}

  /// Pairs nodes whose name and operator are unique among the unpaired nodes of either side.
  void pair_unique_names() {
    pairs_.pair_unique(a_.keyed(Likeness::kName, Which::kNamed),
                       b_.keyed(Likeness::kName, Which::kNamed));
  }

  /// Pairs nodes with equal keys in the gaps between existing pairs, in order.
  void fill_gaps(Likeness likeness, Which which = Which::kAll) {
    pairs_.fill_gaps(a_.keyed(likeness, which), b_.keyed(likeness, which));
  }

  /// Pairs nodes with equal keys regardless of position: the k-th of a key with the k-th.
  void pair_moved(Likeness likeness, Which which = Which::kAll) {
    std::unordered_map<std::uint64_t, std::vector<NodeId>> places;
    for (std::size_t i = b_.order.size(); i-- > 0;)
      if (to_a(b_.order[i]) == kNone) places[b_.by(likeness)[b_.order[i]]].push_back(b_.order[i]);
    const KeyedNodes wanted = a_.keyed(likeness, which);
    for (const NodeId n : wanted.nodes) {
      if (to_b(n) != kNone) continue;
      const auto found = places.find(wanted.keys[n]);
      if (found == places.end() || found->second.empty()) continue;
      pairs_.pair(n, found->second.back());
      found->second.pop_back();
    }
  }

  /// Propagates along the edges of pairs: pairs producers of the same input and readers of the same
  /// output if their keys are equal.
  void follow_edges(Likeness likeness) {
    std::vector<NodeId> pending;
    for (const NodeId n : a_.order)
      if (to_b(n) != kNone) pending.push_back(n);
    const graph::Model &a = a_.resolved.model(), &b = b_.resolved.model();
    while (!pending.empty()) {
      const NodeId in_a = pending.back(), in_b = to_b(in_a);
      pending.pop_back();
      const auto inputs_a = a.inputs(in_a), inputs_b = b.inputs(in_b);
      for (std::size_t i = 0; i < std::min(inputs_a.size(), inputs_b.size()); ++i)
        try_pair(likeness, producer(a, inputs_a, i), producer(b, inputs_b, i), pending);
      const auto made_a = a.outputs(in_a), made_b = b.outputs(in_b);
      for (std::size_t i = 0; i < std::min(made_a.size(), made_b.size()); ++i)
        if (made_a[i] != kNone && made_b[i] != kNone)
          pair_readers(likeness, a.consumers(made_a[i]), b.consumers(made_b[i]), pending);
    }
  }

  /// Counts nodes without a partner, pairs with a change, and edges that lead elsewhere. A node
  /// with MACs without a partner weighs more, since it matters most to the user.
  std::size_t difference() const {
    std::size_t cost = 0;
    for (const NodeId n : b_.order)
      if (to_a(n) == kNone) cost += b_.has_macs(n) ? kWeightOfMacs : 1;
    for (const NodeId n : a_.order) {
      if (to_b(n) == kNone) {
        cost += a_.has_macs(n) ? kWeightOfMacs : 1;
        continue;
      }
      if (a_.by(Likeness::kWeights)[n] != b_.by(Likeness::kWeights)[to_b(n)]) ++cost;
      cost += broken_edges(n, to_b(n));
    }
    return cost;
  }

  Matching matching() const { return {pairs_.to_b(), pairs_.to_a(), a_.order, b_.order}; }

 private:
  NodeId to_b(NodeId n) const { return pairs_.to_b()[n]; }
  NodeId to_a(NodeId n) const { return pairs_.to_a()[n]; }

  static NodeId producer(const graph::Model& m, std::span<const graph::ValueId> inputs,
                         std::size_t i) {
    return i < inputs.size() && inputs[i] != kNone ? m.value(inputs[i]).producer : kNone;
  }

  bool try_pair(Likeness likeness, NodeId in_a, NodeId in_b, std::vector<NodeId>& pending) {
    if (in_a == kNone || in_b == kNone || to_b(in_a) != kNone || to_a(in_b) != kNone ||
        a_.by(likeness)[in_a] != b_.by(likeness)[in_b])
      return false;
    pairs_.pair(in_a, in_b);
    pending.push_back(in_a);
    return true;
  }

  void pair_readers(Likeness likeness, std::span<const NodeId> of_a, std::span<const NodeId> of_b,
                    std::vector<NodeId>& pending) {
    // more readers carry little information, and there may be very many
    constexpr std::size_t kMaxReaders = 32;
    if (of_a.size() > kMaxReaders || of_b.size() > kMaxReaders) return;
    for (const NodeId in_a : of_a)
      for (const NodeId in_b : of_b)
        if (try_pair(likeness, in_a, in_b, pending)) break;
  }

  std::size_t broken_edges(NodeId in_a, NodeId in_b) const {
    const graph::Model &a = a_.resolved.model(), &b = b_.resolved.model();
    const auto inputs_a = a.inputs(in_a), inputs_b = b.inputs(in_b);
    std::size_t broken = 0;
    for (std::size_t i = 0; i < inputs_a.size(); ++i) {
      const NodeId from = producer(a, inputs_a, i);
      if (from != kNone && to_b(from) != kNone && to_b(from) != producer(b, inputs_b, i)) ++broken;
    }
    return broken;
  }

  const ModelSide &a_, &b_;
  Alignment pairs_;
};

/// Lower bound on the difference of any matching: the nodes of a pair have the same operator, so if
/// one side has more nodes of an operator, that many of its nodes have no partner.
std::size_t min_difference(const ModelSide& a, const ModelSide& b) {
  struct Nodes {
    std::array<std::size_t, 2> with_macs{}, without{};
  };
  std::unordered_map<std::uint64_t, Nodes> by_operator;
  for (const std::size_t s : {0U, 1U}) {
    const ModelSide& side = s == 0 ? a : b;
    for (const NodeId n : side.order) {
      Nodes& nodes = by_operator[side.by(Likeness::kOperator)[n]];
      ++(side.has_macs(n) ? nodes.with_macs : nodes.without)[s];
    }
  }
  std::size_t cost = 0;
  for (const auto& [key, n] : by_operator) {
    const std::size_t in_a = n.with_macs[0] + n.without[0], in_b = n.with_macs[1] + n.without[1];
    const std::size_t more = in_a > in_b ? in_a - in_b : in_b - in_a;
    const std::size_t light = std::min(more, n.without[in_a > in_b ? 0 : 1]);
    cost += light + (more - light) * kWeightOfMacs;
  }
  return cost;
}

constexpr std::array kFromExactToLoose = {
    Likeness::kSurroundings, Likeness::kWhole, Likeness::kWeightsAndNeighbors,
    Likeness::kWeights,      Likeness::kName,  Likeness::kModule,
    Likeness::kOperator};

void finish(Aligner& aligner) {
  for (const Likeness likeness : kFromExactToLoose) aligner.fill_gaps(likeness);
  aligner.pair_unique_names();
  for (const Likeness likeness : {Likeness::kSurroundings, Likeness::kWeightsAndNeighbors})
    aligner.pair_moved(likeness);
  // Parallel branches may come in any order; nodes with MACs matter most to the user.
  aligner.pair_moved(Likeness::kWhole, Which::kWithMacs);
  for (const Likeness likeness : {Likeness::kWhole, Likeness::kOperator})
    aligner.follow_edges(likeness);
}

}  // namespace

// Example: A = MatMul_0 Relu_1 MatMul_2 Tanh_3, B = Neg_0 Neg_1 MatMul_2 Relu_3 MatMul_4 Tanh_5,
// each a chain with equal weight shapes. Names first pairs MatMul_2 with MatMul_2, later Tanh_3 -
// Tanh_5, Relu_1 - Relu_3 and MatMul_0 - MatMul_4: two nodes without partner and three broken
// edges, difference 5. The lower bound is 2 (two more Neg), so structure first is tried: it pairs
// MatMul_0 - MatMul_2, Relu_1 - Relu_3, MatMul_2 - MatMul_4, Tanh_3 - Tanh_5 with difference 2,
// which is the result.
Matching match_nodes(const Resolved& a, const Resolved& b) {
  const ModelSide side_a(a), side_b(b);
  Aligner by_name(side_a, side_b);
  by_name.pair_unique_names();
  finish(by_name);
  if (by_name.difference() == min_difference(side_a, side_b)) return by_name.matching();
  Aligner by_structure(side_a, side_b);
  finish(by_structure);
  Aligner by_macs(side_a, side_b);
  for (const Likeness likeness : {Likeness::kSurroundings, Likeness::kWhole, Likeness::kWeights})
    by_macs.fill_gaps(likeness, Which::kWithMacs);
  finish(by_macs);
  Aligner* best = &by_name;
  for (Aligner* other : {&by_structure, &by_macs})
    if (other->difference() < best->difference()) best = other;
  return best->matching();
}

}  // namespace ridge::compare
