#include "compare/match.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

#include "analysis/signature.h"
#include "compare/common_subsequence.h"

namespace ridge::compare {
namespace {

using analysis::Likeness;
using analysis::Resolved;
using analysis::signatures;
using graph::kNone;
using graph::NodeId;
using Keys = std::vector<std::uint64_t>;

constexpr std::size_t kLikenesses = 7;
/// Weight of a node with MACs that has no partner; other nodes weigh 1.
constexpr std::size_t kWeightOfMacs = 8;

/// One of the two models: its nodes in order and their keys for every likeness, computed on demand.
struct Side {
  explicit Side(const Resolved& r) : resolved(r) {
    for (const graph::Graph& g : r.model().graphs())
      order.insert(order.end(), g.order.begin(), g.order.end());
    place.resize(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  }
  const Keys& by(Likeness likeness) const {
    Keys& made = keys[static_cast<std::size_t>(likeness)];
    if (made.empty()) made = signatures(resolved, likeness);
    return made;
  }
  bool has_macs(NodeId n) const { return !resolved.counts(n).macs.is(0); }

  const Resolved& resolved;
  std::vector<NodeId> order;
  std::vector<std::uint32_t> place;  // by NodeId
  mutable std::array<Keys, kLikenesses> keys;
};

class Aligner {
 public:
  Aligner(const Side& a, const Side& b)
      : a_(a), b_(b), to_b_(a.order.size(), kNone), to_a_(b.order.size(), kNone) {}

  /// Pairs nodes whose name and operator are unique among the unpaired nodes of either side.
  void pair_unique_names() {
    const std::vector<Keyed> of_a = unique_names(a_, to_b_), of_b = unique_names(b_, to_a_);
    for (auto x = of_a.begin(), y = of_b.begin(); x != of_a.end() && y != of_b.end();) {
      if (x->key == y->key) pair(x->node, y->node);
      const std::uint64_t key = std::min(x->key, y->key);
      x += x->key == key ? 1 : 0;
      y += y->key == key ? 1 : 0;
    }
    chain_.clear();
  }

  enum class Nodes : std::uint8_t { kAll, kWithMacs };

  /// Pairs nodes with equal keys in the gaps between existing pairs, in order.
  void fill_gaps(Likeness likeness, Nodes which = Nodes::kAll) {
    if (chain_.empty()) chain_ = chain();
    Pairs found;
    std::uint32_t i = 0, j = 0;
    for (std::size_t at = 0; at <= chain_.size(); ++at) {
      const bool last = at == chain_.size();
      const std::uint32_t end_i = last ? size(a_) : chain_[at].first;
      const std::uint32_t end_j = last ? size(b_) : chain_[at].second;
      align_gap(likeness, which, {i, end_i}, {j, end_j}, found);
      i = end_i + 1;
      j = end_j + 1;
    }
    if (found.empty()) return;
    const std::size_t before = chain_.size();
    chain_.insert(chain_.end(), found.begin(), found.end());
    std::inplace_merge(chain_.begin(), chain_.begin() + static_cast<std::ptrdiff_t>(before),
                       chain_.end());
  }

  /// Pairs nodes with equal keys regardless of position: the k-th of a key with the k-th.
  void pair_moved(Likeness likeness, Nodes which = Nodes::kAll) {
    std::unordered_map<std::uint64_t, std::vector<NodeId>> places;
    for (std::size_t i = b_.order.size(); i-- > 0;)
      if (to_a_[b_.order[i]] == kNone) places[b_.by(likeness)[b_.order[i]]].push_back(b_.order[i]);
    for (const NodeId n : a_.order) {
      if (to_b_[n] != kNone || (which == Nodes::kWithMacs && !a_.has_macs(n))) continue;
      const auto found = places.find(a_.by(likeness)[n]);
      if (found == places.end() || found->second.empty()) continue;
      pair(n, found->second.back());
      found->second.pop_back();
    }
  }

  /// Propagates along the edges of pairs: pairs producers of the same input and readers of the same
  /// output if their keys are equal.
  void follow_edges(Likeness likeness) {
    std::vector<NodeId> pending;
    for (const NodeId n : a_.order)
      if (to_b_[n] != kNone) pending.push_back(n);
    const graph::Model &a = a_.resolved.model(), &b = b_.resolved.model();
    while (!pending.empty()) {
      const NodeId in_a = pending.back(), in_b = to_b_[in_a];
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
      if (to_a_[n] == kNone) cost += b_.has_macs(n) ? kWeightOfMacs : 1;
    for (const NodeId n : a_.order) {
      if (to_b_[n] == kNone) {
        cost += a_.has_macs(n) ? kWeightOfMacs : 1;
        continue;
      }
      if (a_.by(Likeness::kWeights)[n] != b_.by(Likeness::kWeights)[to_b_[n]]) ++cost;
      cost += broken_edges(n, to_b_[n]);
    }
    return cost;
  }

  Matching take() { return {std::move(to_b_), std::move(to_a_), a_.order, b_.order}; }

 private:
  static std::uint32_t size(const Side& side) {
    return static_cast<std::uint32_t>(side.order.size());
  }

  void pair(NodeId in_a, NodeId in_b) {
    to_b_[in_a] = in_b;
    to_a_[in_b] = in_a;
  }

  struct Keyed {
    std::uint64_t key;
    NodeId node;
  };

  /// Returns the unpaired nodes whose name is unique among them, ordered by key.
  static std::vector<Keyed> unique_names(const Side& side, const std::vector<NodeId>& partner) {
    std::vector<Keyed> named;
    for (const NodeId n : side.order)
      if (partner[n] == kNone && !side.resolved.model().node(n).name.empty())
        named.push_back({side.by(Likeness::kName)[n], n});
    std::ranges::sort(named, {}, &Keyed::key);
    std::size_t kept = 0;
    for (std::size_t i = 0, next = 0; i < named.size(); i = next) {
      for (next = i + 1; next < named.size() && named[next].key == named[i].key;) ++next;
      if (next == i + 1) named[kept++] = named[i];
    }
    named.resize(kept);
    return named;
  }

  static NodeId producer(const graph::Model& m, std::span<const graph::ValueId> inputs,
                         std::size_t i) {
    return i < inputs.size() && inputs[i] != kNone ? m.value(inputs[i]).producer : kNone;
  }

  bool try_pair(Likeness likeness, NodeId in_a, NodeId in_b, std::vector<NodeId>& pending) {
    if (in_a == kNone || in_b == kNone || to_b_[in_a] != kNone || to_a_[in_b] != kNone ||
        a_.by(likeness)[in_a] != b_.by(likeness)[in_b])
      return false;
    pair(in_a, in_b);
    pending.push_back(in_a);
    return true;
  }

  void pair_readers(Likeness likeness, std::span<const NodeId> of_a, std::span<const NodeId> of_b,
                    std::vector<NodeId>& pending) {
    // more readers carry little information, and there may be very many
    constexpr std::size_t kMostReaders = 32;
    if (of_a.size() > kMostReaders || of_b.size() > kMostReaders) return;
    for (const NodeId in_a : of_a)
      for (const NodeId in_b : of_b)
        if (try_pair(likeness, in_a, in_b, pending)) break;
  }

  /// Longest sequence of pairs with the same order on both sides.
  Pairs chain() const {
    Pairs pairs;
    for (std::uint32_t i = 0; i < a_.order.size(); ++i)
      if (const NodeId in_b = to_b_[a_.order[i]]; in_b != kNone)
        pairs.emplace_back(i, b_.place[in_b]);
    return longest_ascending(pairs);
  }

  struct Range {
    std::uint32_t begin, end;
  };

  void align_gap(Likeness likeness, Nodes which, Range in_a, Range in_b, Pairs& found) {
    std::vector<NodeId> nodes_a, nodes_b;
    Keys keys_a, keys_b;
    const auto wanted = [&](const Side& side, NodeId n) {
      return which == Nodes::kAll || side.has_macs(n);
    };
    for (std::uint32_t i = in_a.begin; i < in_a.end; ++i)
      if (const NodeId n = a_.order[i]; to_b_[n] == kNone && wanted(a_, n)) nodes_a.push_back(n);
    for (std::uint32_t j = in_b.begin; j < in_b.end; ++j)
      if (const NodeId n = b_.order[j]; to_a_[n] == kNone && wanted(b_, n)) nodes_b.push_back(n);
    if (nodes_a.empty() || nodes_b.empty()) return;
    for (const NodeId n : nodes_a) keys_a.push_back(a_.by(likeness)[n]);
    for (const NodeId n : nodes_b) keys_b.push_back(b_.by(likeness)[n]);
    for (const auto& [x, y] : common_subsequence(keys_a, keys_b)) {
      pair(nodes_a[x], nodes_b[y]);
      found.emplace_back(a_.place[nodes_a[x]], b_.place[nodes_b[y]]);
    }
  }

  std::size_t broken_edges(NodeId in_a, NodeId in_b) const {
    const graph::Model &a = a_.resolved.model(), &b = b_.resolved.model();
    const auto inputs_a = a.inputs(in_a), inputs_b = b.inputs(in_b);
    std::size_t broken = 0;
    for (std::size_t i = 0; i < inputs_a.size(); ++i) {
      const NodeId from = producer(a, inputs_a, i);
      if (from != kNone && to_b_[from] != kNone && to_b_[from] != producer(b, inputs_b, i))
        ++broken;
    }
    return broken;
  }

  const Side &a_, &b_;
  std::vector<NodeId> to_b_, to_a_;
  Pairs chain_;  // positions of pairs that are in the same order on both sides
};

/// Lower bound on the difference of any matching: the nodes of a pair have the same operator, so if
/// one side has more nodes of an operator, that many of its nodes have no partner.
std::size_t least_difference(const Side& a, const Side& b) {
  struct Nodes {
    std::array<std::size_t, 2> with_macs{}, without{};
  };
  std::unordered_map<std::uint64_t, Nodes> by_operator;
  for (const std::size_t s : {0U, 1U}) {
    const Side& side = s == 0 ? a : b;
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
  aligner.pair_moved(Likeness::kWhole, Aligner::Nodes::kWithMacs);
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
  const Side side_a(a), side_b(b);
  Aligner by_name(side_a, side_b);
  by_name.pair_unique_names();
  finish(by_name);
  if (by_name.difference() == least_difference(side_a, side_b)) return by_name.take();
  Aligner by_structure(side_a, side_b);
  finish(by_structure);
  Aligner by_macs(side_a, side_b);
  for (const Likeness likeness : {Likeness::kSurroundings, Likeness::kWhole, Likeness::kWeights})
    by_macs.fill_gaps(likeness, Aligner::Nodes::kWithMacs);
  finish(by_macs);
  Aligner* best = &by_name;
  for (Aligner* other : {&by_structure, &by_macs})
    if (other->difference() < best->difference()) best = other;
  return best->take();
}

}  // namespace ridge::compare
