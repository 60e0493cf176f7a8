// SPDX-License-Identifier: Apache-2.0
#include "import/members.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "analysis/traffic/fuser.h"
#include "attribution/names.h"
#include "attribution/original.h"
#include "base/number.h"
#include "import/constant_nodes.h"
#include "import/operators.h"
#include "import/regions.h"

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
    Regions regions(recorded_.layers, resolved_, names_, recorded_.naming);
    regions.fill(found_, out_.partly, out_.placed);
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l) extend(l);
    follow_order();
    number_nameless();
    out_.region_notes = regions.notes();
    decide();
    if (recorded_.naming == Naming::kOnnxRuntime) fuse();
    if (recorded_.naming != Naming::kPlain) guess();
    if (recorded_.naming == Naming::kOnnxRuntime && place_written_out()) guess();
    for (auto& members : out_.of_layer) finish(members);
    return std::move(out_);
  }

 private:
  /// Nodes of one layer. After settle(): ascending, each once with its best evidence.
  using Nodes = Regions::Nodes;

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
    if (layer.inserted) return name_copy(l);
    const auto look_up = [&](std::string_view part) {
      const Found found = names_.find(part, recorded_.naming);
      if (found) put(l, found.node, found.evidence);
      return static_cast<bool>(found);
    };
    if (layer.parts.empty() && layer.regions.empty()) look_up(layer.name);
    bool found = false, missed = false;
    for (const std::string& part : layer.parts)
      if (look_up(part))
        found = true;
      else if (names_.readers_of_weight(part).empty())  // a weight is no node
        missed = true;
    // OpenVINO lists layers of its own beside the nodes they came from.
    const bool lists_own = recorded_.naming == Naming::kOpenVino;
    if (lists_own && !found) look_up(layer.name);
    out_.partly[l] = out_.partly[l] || (missed && !lists_own);
  }

  /// TensorRT executes a Concat by copying each input to its place.
  void name_copy(std::uint32_t l) {
    if (recorded_.naming != Naming::kTensorRt) return;
    if (const Found found = names_.copied(recorded_.layers[l].name))
      put(l, found.node, found.evidence);
  }

  void extend(std::uint32_t l) {
    const RecordedLayer& layer = recorded_.layers[l];
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

  /// Places kernels that the release records no name for: the k-th of an operator is the k-th node
  /// of it without a name, if there are as many of both.
  void number_nameless() {
    std::map<std::string, std::vector<std::uint32_t>> layers;
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l)
      if (recorded_.layers[l].nameless) layers[recorded_.layers[l].type].push_back(l);
    if (layers.empty()) return;
    std::map<std::string_view, std::vector<NodeId>> nodes;
    for (const NodeId n : model_.main().order)
      if (const graph::Node node = model_.node(n);
          node.name.empty() && !makes_constants(resolved_, n))
        nodes[node.op_type].push_back(n);
    for (auto& [type, own] : layers) {
      const auto of = nodes.find(type);
      if (of == nodes.end() || of->second.size() != own.size()) continue;
      std::ranges::sort(own, {}, [&](std::uint32_t l) { return *recorded_.layers[l].nameless; });
      for (std::size_t i = 0; i < own.size(); ++i) put(own[i], of->second[i], Evidence::kOrder);
    }
  }

  using Groups = std::map<NodeId, std::vector<NodeId>>;

  /// Places nodes that no layer is named after with the others of their group, if ONNX Runtime's
  /// rules fuse them (analysis/traffic/fuser.h): in the layer of these others; where they are in
  /// several, in the layer of the node's only reader in the group, else of the node before it.
  void fuse() {
    const analysis::Fusion fusion = analysis::assume_fusion(resolved_, analysis::Fuse::kRuntime);
    Groups groups;
    for (NodeId n = 0; n < fusion.runs_with.size(); ++n)
      if (!fusion.folded[n] && !makes_constants(resolved_, n))
        groups[fusion.runs_with[n]].push_back(n);
    place_made(fusion, groups);
    place_splits();
    for (const auto& [last, group] : groups) {
      std::uint32_t layer = kNone;
      bool one = true;
      for (const NodeId n : group) {
        if (owner_[n] == kNone) continue;
        one &= layer == kNone || layer == owner_[n];
        layer = owner_[n];
      }
      if (layer == kNone) continue;
      for (std::size_t i = group.size(); i-- > 0;)
        if (!out_.placed[group[i]])
          place_fused(group[i], one ? layer : neighbor_in(fusion, group[i]));
    }
  }

  void place_fused(NodeId n, std::uint32_t layer) {
    if (layer == kNone) return;
    owner_[n] = layer;
    out_.placed[n] = true;
    out_.of_layer[layer].push_back({n, Role::kExecutes, Evidence::kFusion});
    ++out_.fused;
  }

  std::uint32_t neighbor_in(const analysis::Fusion& fusion, NodeId n) const {
    const auto owner = [&](NodeId other) {
      return other != kNone && fusion.runs_with[other] == fusion.runs_with[n] ? owner_[other]
                                                                              : kNone;
    };
    const auto outputs = model_.outputs(n);
    if (outputs.size() == 1 && outputs[0] != kNone && model_.consumers(outputs[0]).size() == 1)
      if (const std::uint32_t l = owner(model_.consumers(outputs[0])[0]); l != kNone) return l;
    return owner(fused_before(n));
  }

  /// Kernels that ONNX Runtime calls after their own type ("BiasGelu_token_11"), and an operator
  /// that only a group they were made from has.
  struct Made {
    std::string_view type, mark;
  };
  static constexpr std::array kMade = {
      Made{"BiasGelu", "Erf"},  Made{"BiasGelu", "Gelu"}, Made{"FastGelu", "Tanh"},
      Made{"FastGelu", "Gelu"}, Made{"Gelu", "Erf"},      Made{"QuickGelu", "Sigmoid"},
  };

  /// Places the Gathers or Slices that one Split replaces, which is called after one of them
  /// ("N/GatherSliceToSplitFusion"): all of its kind that read the same tensor.
  void place_splits() {
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l) {
      if (recorded_.layers[l].type != "Split" || out_.of_layer[l].size() != 1) continue;
      const graph::Node first = model_.node(out_.of_layer[l][0].node);
      if ((first.op_type != "Gather" && first.op_type != "Slice") || first.inputs[0] == kNone)
        continue;
      for (const NodeId n : model_.consumers(first.inputs[0]))
        if (!out_.placed[n] && model_.node(n).op_type == first.op_type &&
            model_.node(n).inputs[0] == first.inputs[0])
          place_fused(n, l);
    }
  }

  /// Places groups in such kernels: the k-th in the k-th, if there are as many of both.
  void place_made(const analysis::Fusion& fusion, const Groups& groups) {
    for (const Made& made : kMade) {
      std::vector<std::uint32_t> layers;
      for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l)
        if (recorded_.layers[l].type == made.type && out_.of_layer[l].empty() &&
            attribution::without_token(recorded_.layers[l].name) == made.type)
          layers.push_back(l);
      std::vector<NodeId> marks;
      for (const NodeId n : model_.main().order)
        if (model_.node(n).op_type == made.mark && !out_.placed[n] &&
            groups.contains(fusion.runs_with[n]))
          marks.push_back(n);
      if (layers.empty() || layers.size() != marks.size()) continue;
      for (std::size_t i = 0; i < marks.size(); ++i)
        place_group(groups.at(fusion.runs_with[marks[i]]), layers[i], made);
    }
  }

  /// Places a group, and the sum with a bias before it where the kernel's name says so.
  void place_group(const std::vector<NodeId>& group, std::uint32_t layer, const Made& made) {
    for (const NodeId n : group)
      if (!out_.placed[n]) place_fused(n, layer);
    if (!made.type.starts_with("Bias")) return;
    for (const ValueId v : model_.inputs(group.front())) {
      const NodeId sum = v == kNone ? kNone : model_.value(v).producer;
      if (sum != kNone && !out_.placed[sum] && model_.node(sum).op_type == "Add" &&
          only_activation(sum) != kNone)
        place_fused(sum, layer);
    }
  }

  /// Visits nodes in graph order, so that chains follow their first node. Not used for PyTorch,
  /// which runs operators one by one.
  void guess() {
    for (const graph::Graph& g : model_.graphs())
      for (const NodeId n : g.order) {
        if (out_.placed[n] || makes_constants(resolved_, n) || !model_.bodies(n).empty()) continue;
        if (attribution::is_product(model_.node(n).op_type)) continue;
        if (const WrittenOut* form = written_out(n); form != nullptr && !first_of(*form).empty())
          continue;
        const NodeId before = fused_before(n);
        if (before == kNone || owner_[before] == kNone) continue;
        owner_[n] = owner_[before];
        out_.placed[n] = true;
        out_.of_layer[owner_[n]].push_back({n, Role::kExecutes, Evidence::kGuess});
        ++out_.guessed;
      }
  }

  /// Operators that ONNX Runtime has no kernel for and writes out as others, which it names by
  /// their type and a number above the numbers of the model's nodes: HardSigmoid_186, Mul_187.
  struct WrittenOut {
    std::string_view op;
    std::array<std::string_view, 3> kernels;  // in order of execution
  };
  static constexpr std::array kWrittenOut = {
      WrittenOut{"HardSwish", {"HardSigmoid", "Mul"}},
      WrittenOut{"Mish", {"Softplus", "Tanh", "Mul"}},
      WrittenOut{"Swish", {"Sigmoid", "Mul"}},
  };

  const WrittenOut* written_out(NodeId n) const {
    const auto at = std::ranges::find(kWrittenOut, model_.node(n).op_type, &WrittenOut::op);
    return at == kWrittenOut.end() ? nullptr : &*at;
  }

  /// Number at the end of a name that ONNX Runtime made for a node of its own.
  std::optional<std::size_t> own_number(std::uint32_t l) const {
    const RecordedLayer& layer = recorded_.layers[l];
    if (!out_.of_layer[l].empty() || layer.inserted || !layer.name.starts_with(layer.type + "_"))
      return std::nullopt;
    const auto number =
        whole_number<std::size_t>(std::string_view(layer.name).substr(layer.type.size() + 1));
    return number && *number >= names_.numbered() ? number : std::nullopt;
  }

  /// Layers without nodes that begin such a form, in order of execution.
  std::vector<std::uint32_t> first_of(const WrittenOut& form) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l)
      if (recorded_.layers[l].type == form.kernels[0] && own_number(l)) out.push_back(l);
    return out;
  }

  /// Layer without nodes that has this type and number; kNone if there is none.
  std::uint32_t numbered_layer(std::string_view type, std::size_t number) const {
    for (std::uint32_t l = 0; l < recorded_.layers.size(); ++l)
      if (recorded_.layers[l].type == type && own_number(l) == number) return l;
    return kNone;
  }

  /// Places nodes that were written out: each form belongs to the open node whose input was made
  /// last before it. Returns whether there are any.
  bool place_written_out() {
    bool any = false;
    for (const WrittenOut& form : kWrittenOut)
      for (const std::uint32_t first : first_of(form)) {
        NodeId node = kNone;
        for (NodeId n = 0; n < out_.placed.size(); ++n) {
          if (out_.placed[n] || model_.node(n).op_type != form.op) continue;
          if (const std::uint32_t at = made_by(n); at == kNone || at >= first) continue;
          if (node == kNone || made_by(n) > made_by(node)) node = n;
        }
        if (node == kNone) continue;
        any = true;
        place_form(node, form, first);
      }
    return any;
  }

  /// Layer that makes the activation that `n` reads; kNone if it is not known.
  std::uint32_t made_by(NodeId n) const {
    const ValueId v = only_activation(n);
    const NodeId producer = v == kNone ? kNone : model_.value(v).producer;
    return producer == kNone ? kNone : owner_[producer];
  }

  void place_form(NodeId node, const WrittenOut& form, std::uint32_t first) {
    std::vector<std::uint32_t> layers{first};
    const std::size_t number = *own_number(first);
    for (std::size_t i = 1; i < form.kernels.size() && !form.kernels[i].empty(); ++i)
      if (const std::uint32_t l = numbered_layer(form.kernels[i], number + i); l != kNone)
        layers.push_back(l);
    const std::uint32_t longest =
        *std::ranges::max_element(layers, {}, [&](std::uint32_t l) { return time_ns_[l]; });
    for (const std::uint32_t l : layers)
      out_.of_layer[l].push_back(
          {node, l == longest ? Role::kExecutes : Role::kPart, Evidence::kOrder});
    owner_[node] = longest;
    out_.placed[node] = true;
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

  const Recorded& recorded_;
  const std::vector<double>& time_ns_;
  const Resolved& resolved_;
  const graph::Model& model_;
  const NameIndex& names_;
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
