#include "import/members.h"

#include <algorithm>
#include <utility>

#include "attribution/original.h"
#include "import/constant_nodes.h"
#include "import/operators.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Evidence;
using profile::Role;

class Finder {
 public:
  Finder(const Recorded& recorded, const std::vector<double>& time_ns, const Resolved& resolved,
         const NameIndex& names)
      : recorded_(recorded),
        time_ns_(time_ns),
        resolved_(resolved),
        model_(resolved.model()),
        names_(names),
        found_(recorded.layers.size()) {
    out_.of_layer.resize(recorded.layers.size());
    out_.partly.resize(recorded.layers.size());
    out_.placed.resize(model_.nodes().size());
  }

  Members run() {
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l) name(l);
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l) extend(l);
    follow_order();
    decide();
    if (recorded_.naming != Naming::kPlain) guess();
    for (auto& members : out_.of_layer) finish(members);
    return std::move(out_);
  }

 private:
  /// Nodes of one layer. After settle(): ascending, each once with its best evidence.
  using Nodes = std::vector<std::pair<NodeId, Evidence>>;

  void put(std::uint32_t layer, NodeId node, Evidence evidence) {
    found_[layer].emplace_back(node, evidence);
    out_.placed[node] = true;
  }

  static void settle(Nodes& nodes) {
    std::ranges::sort(nodes);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
  }

  void name(std::uint32_t l) {
    const RecordedLayer& layer = recorded_.layers[l];
    if (layer.inserted) return;
    const auto look_up = [&](std::string_view part) {
      const Found found = names_.find(part, recorded_.naming);
      if (found) put(l, found.node, found.evidence);
      return static_cast<bool>(found);
    };
    if (layer.parts.empty() && layer.regions.empty()) look_up(layer.name);
    bool found = false, missed = false;
    for (const std::string& part : layer.parts) (look_up(part) ? found : missed) = true;
    // OpenVINO lists layers of its own beside the nodes they came from.
    const bool lists_own = recorded_.naming == Naming::kOpenVino;
    if (lists_own && !found) look_up(layer.name);
    out_.partly[l] = out_.partly[l] || (missed && !lists_own);
  }

  void extend(std::uint32_t l) {
    const RecordedLayer& layer = recorded_.layers[l];
    for (const RecordedRegion& region : layer.regions) between(l, region);
    settle(found_[l]);
    if (!attribution::is_product(layer.type) || found_[l].empty()) return;
    for (const auto& [node, evidence] : found_[l])
      if (attribution::is_product(model_.node(node).op_type)) return;
    back_to_product(l, found_[l].front().first);
    settle(found_[l]);
  }

  /// The only input that is computed at run time; kNone if there is none or more than one.
  ValueId only_activation(NodeId n) const {
    ValueId only = kNone;
    for (const ValueId v : model_.inputs(n)) {
      if (v == kNone || resolved_.constant(v) || v == only) continue;
      if (only != kNone) return kNone;
      only = v;
    }
    return only;
  }

  /// Producer of the only activation of `n`, if `n` is its only reader; else kNone.
  NodeId fused_before(NodeId n) const {
    const ValueId v = only_activation(n);
    if (v == kNone || model_.consumers(v).size() != 1 || model_.value(v).graph_output) return kNone;
    return model_.value(v).producer;
  }

  /// Extends a product kernel that is named after a later node back to its product.
  void back_to_product(std::uint32_t l, NodeId from) {
    std::vector<NodeId> way;
    for (NodeId n = fused_before(from); n != kNone; n = fused_before(n)) {
      if (out_.placed[n] || way.size() > kLongestFusion) return;
      way.push_back(n);
      if (!attribution::is_product(model_.node(n).op_type)) continue;
      for (const NodeId member : way) put(l, member, Evidence::kRegion);
      return;
    }
  }

  /// Adds the nodes on any path from `region.from` to `region.to`, both included.
  void between(std::uint32_t l, const RecordedRegion& region) {
    const Found from = names_.find(region.from, recorded_.naming),
                to = names_.find(region.to, recorded_.naming);
    if (!from || !to || visits_ > kVisits) {
      out_.partly[l] = true;
      for (const Found& end : {from, to})
        if (end) put(l, end.node, end.evidence);
      return;
    }
    // The loop below looks at each node too.
    visits_ += static_cast<std::int64_t>(model_.nodes().size());
    const std::vector<bool> below = reach(from.node, Way::kDown), above = reach(to.node, Way::kUp);
    for (NodeId n = 0; n < below.size(); ++n)
      if (below[n] && above[n] && !makes_constants(resolved_, n)) put(l, n, Evidence::kRegion);
    put(l, from.node, from.evidence);
    put(l, to.node, to.evidence);
  }

  enum class Way { kUp, kDown };

  std::vector<bool> reach(NodeId start, Way way) {
    std::vector<bool> seen(model_.nodes().size());
    std::vector<NodeId> open{start};
    seen[start] = true;
    const auto visit = [&](NodeId n) {
      if (n == kNone || seen[n]) return;
      seen[n] = true;
      open.push_back(n);
    };
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      ++visits_;
      if (way == Way::kUp) {
        for (const ValueId v : model_.inputs(n))
          if (v != kNone) visit(model_.value(v).producer);
      } else {
        for (const ValueId v : model_.outputs(n))
          if (v != kNone)
            for (const NodeId reader : model_.consumers(v)) visit(reader);
      }
    }
    return seen;
  }

  /// Places operators of PyTorch that no name places.
  void follow_order() {
    std::vector<bool> named(found_.size());
    for (std::uint32_t l = 0; l < found_.size(); ++l) named[l] = !found_[l].empty();
    OrderedMembers ordered = match_in_order(recorded_.layers, named, resolved_, out_.placed);
    for (const OrderedMember& m : ordered.members) put(m.layer, m.node, m.evidence);
    for (auto& nodes : found_) settle(nodes);
    out_.notes = std::move(ordered.notes);
  }

  /// Chooses the layer that executes a node that several layers share: better evidence first
  /// (neither guess nor region), then the longer time.
  void decide() {
    owner_.assign(model_.nodes().size(), kNone);
    for (std::uint32_t l = 0; l < found_.size(); ++l)
      for (const auto& [node, evidence] : found_[l]) {
        std::uint32_t& owner = owner_[node];
        if (owner == kNone || better(l, evidence, owner, node)) owner = l;
      }
    for (std::uint32_t l = 0; l < found_.size(); ++l)
      for (const auto& [node, evidence] : found_[l])
        out_.of_layer[l].push_back(
            {node, owner_[node] == l ? Role::kExecutes : Role::kPart, evidence});
  }

  bool better(std::uint32_t l, Evidence evidence, std::uint32_t owner, NodeId node) const {
    const Evidence other =
        std::ranges::lower_bound(found_[owner], node, {}, &Nodes::value_type::first)->second;
    if ((evidence == Evidence::kGuess) != (other == Evidence::kGuess))
      return other == Evidence::kGuess;
    if ((evidence == Evidence::kRegion) != (other == Evidence::kRegion))
      return other == Evidence::kRegion;
    return time_ns_[l] > time_ns_[owner];
  }

  /// Visits nodes in graph order, so that chains follow their first node. Not used for PyTorch,
  /// which runs operators one by one.
  void guess() {
    for (const graph::Graph& g : model_.graphs())
      for (const NodeId n : g.order) {
        if (out_.placed[n] || makes_constants(resolved_, n) || !model_.bodies(n).empty()) continue;
        if (attribution::is_product(model_.node(n).op_type)) continue;
        const NodeId before = fused_before(n);
        if (before == kNone || owner_[before] == kNone) continue;
        owner_[n] = owner_[before];
        out_.placed[n] = true;
        out_.of_layer[owner_[n]].push_back({n, Role::kExecutes, Evidence::kGuess});
        ++out_.guessed;
      }
  }

  /// BatchNormalization directly behind a product of the same layer is folded into the weights.
  void finish(std::vector<profile::Member>& members) const {
    std::ranges::sort(members, {}, &profile::Member::node);
    const auto has = [&](NodeId n) {
      return std::ranges::binary_search(members, n, {}, &profile::Member::node);
    };
    for (profile::Member& m : members) {
      if (m.role != Role::kExecutes || model_.node(m.node).op_type != "BatchNormalization")
        continue;
      const NodeId before = fused_before(m.node);
      if (before != kNone && has(before) && attribution::is_product(model_.node(before).op_type))
        m.role = Role::kAbsorbed;
    }
  }

  static constexpr std::size_t kLongestFusion = 16;
  /// Limit of node visits for filling regions; engines of real models need some thousand.
  static constexpr std::int64_t kVisits = 50'000'000;

  const Recorded& recorded_;
  const std::vector<double>& time_ns_;
  const Resolved& resolved_;
  const graph::Model& model_;
  const NameIndex& names_;
  std::int64_t visits_ = 0;
  std::vector<Nodes> found_;
  std::vector<std::uint32_t> owner_;  // by node: the layer that executes it
  Members out_;
};

}  // namespace

Members find_members(const Recorded& recorded, const std::vector<double>& time_ns,
                     const Resolved& resolved, const NameIndex& names) {
  return Finder(recorded, time_ns, resolved, names).run();
}

}  // namespace ridge::imports
