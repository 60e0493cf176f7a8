// SPDX-License-Identifier: Apache-2.0
#include "bricks/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <queue>
#include <set>

#include "attribution/names.h"
#include "attribution/names_read.h"
#include "attribution/neutral.h"
#include "base/disjoint_sets.h"
#include "base/strong_components.h"

namespace ridge::bricks {
namespace {

using graph::NodeId;
using graph::ValueId;
using profile::Role;

/// False for the two sides of a Transpose that moves only dimensions of 1: the data are the same,
/// but a node that reads one cannot read the other.
bool same_shape(const ops::Type& a, const ops::Type& b) {
  return a.shape.rank == b.shape.rank &&
         std::ranges::equal(a.shape.span(), b.shape.span(),
                            [](ops::Dim x, ops::Dim y) { return x.same(y); });
}

std::string sizes_text(const ops::Type& type) {
  std::string out;
  if (type.shape.ranked())
    for (const ops::Dim& d : type.shape.span())
      out += d.known() ? fmt::format("{},", d.value()) : "?,";
  return out;
}

class Maker {
 public:
  explicit Maker(Network& network)
      : n_(network), model_(network.resolved.model()), a_(network.attribution) {}

  Result<void> run() {
    index_names();
    find_units();
    TRY(group());
    order_layers();
    place_nodes();
    return {};
  }

 private:
  void index_names() {
    const onnx::Graph& graph = n_.graph();
    for (Unit u = 0; u < graph.nodes.size(); ++u)
      for (const std::string_view name : graph.nodes[u].outputs)
        if (!name.empty()) n_.producer.emplace(name, u);
    for (const onnx::Tensor& t : graph.initializers) n_.initializer.emplace(t.name, &t);
    // The default value of an input is no constant: a runtime does not fold it.
    for (const onnx::ValueInfo& input : graph.inputs) n_.initializer.erase(input.name);
    for (ValueId v = 0; v < n_.copy.value_name.size(); ++v)
      if (const std::string_view name = n_.copy.value_name[v]; !name.empty()) {
        const auto [at, fresh] = n_.value.emplace(name, v);
        // Several values share a name where a call or a branch is expanded: the inner one has the
        // producer.
        if (!fresh && model_.value(v).producer != graph::kNone &&
            n_.resolved.value(at->second) == nullptr)
          at->second = v;
      }
    for (const profile::WithoutLayer& w : a_.without_layer) note_same(w);
  }

  /// Notes results that a node without a kernel shares with a node that has one, or passes through.
  void note_same(const profile::WithoutLayer& w) {
    const graph::Node node = model_.node(w.node);
    const auto same = [&](ValueId from, ValueId to) {
      if (from == graph::kNone || to == graph::kNone) return;
      const std::string_view out = n_.copy.value_name[from], in = n_.copy.value_name[to];
      if (out != in && !in.empty() && same_shape(n_.resolved.type(from), n_.resolved.type(to)))
        n_.same_as.emplace(out, in);
    };
    if (w.why == profile::Why::kMerged && w.with) {
      const std::span<const ValueId> others = model_.outputs(*w.with);
      for (std::size_t i = 0; i < std::min(node.outputs.size(), others.size()); ++i)
        same(node.outputs[i], others[i]);
    }
    if (w.why != profile::Why::kEliminated || node.outputs.empty()) return;
    if (n_.copy.identity[w.node])
      same(node.outputs[0], node.inputs[0]);
    else if (const auto input = attribution::neutral_input(n_.resolved, w.node))
      same(node.outputs[0], node.inputs[*input]);
  }

  /// Sets unit_of_: by node of the model, the unit that it is or lies in.
  void find_units() {
    unit_of_.assign(model_.nodes().size(), kNone);
    const onnx::Graph& graph = n_.graph();
    for (Unit u = 0; u < graph.nodes.size(); ++u)
      if (const attribution::Stem stem = attribution::stem_of(graph.nodes[u].name);
          stem.whole && stem.node < unit_of_.size())
        unit_of_[stem.node] = u;
    // A body follows its owner in the numbering of nodes.
    for (NodeId n = 0; n < unit_of_.size(); ++n)
      if (const NodeId parent = model_.node(n).parent;
          unit_of_[n] == kNone && parent != graph::kNone)
        unit_of_[n] = unit_of_[parent];
  }

  Result<void> group() {
    const std::size_t units = n_.graph().nodes.size();
    DisjointSets sets(units);
    std::vector<Unit> first_unit(a_.layers.size(), kNone);
    std::vector<bool> runs(units, false);
    for (std::size_t l = 0; l < a_.layers.size(); ++l)
      for (const profile::Member& m : a_.layers[l].members) {
        const Unit u = unit_of_[m.node];
        if (m.role == Role::kPart) continue;
        // Nodes that became initializers of the copy have no unit.
        if (u == kNone) continue;
        runs[u] = true;
        if (first_unit[l] == kNone) first_unit[l] = u;
        sets.join(first_unit[l], u);
      }
    join_masked(runs, sets);
    std::vector<std::uint32_t> group_at(units, kNone);
    group_of_.assign(units, kNone);
    for (Unit u = 0; u < units; ++u) {
      if (!runs[u]) continue;
      const Unit head = sets.root(u);
      if (group_at[head] == kNone) {
        group_at[head] = static_cast<std::uint32_t>(groups_.size());
        groups_.emplace_back();
      }
      group_of_[u] = group_at[head];
      groups_[group_of_[u]].units.push_back(u);
    }
    group_of_layer_.assign(a_.layers.size(), kNone);
    for (std::size_t l = 0; l < a_.layers.size(); ++l) {
      if (first_unit[l] == kNone) continue;
      const std::uint32_t g = group_of_layer_[l] = group_of_[first_unit[l]];
      for (const profile::Member& m : a_.layers[l].members)
        if (const Unit u = unit_of_[m.node];
            m.role == Role::kPart && u != kNone && group_of_[u] != g)
          groups_[g].repeated.push_back(u);
    }
    place_kernels();
    if (groups_.empty() && !a_.layers.empty())
      return bug("no layer has a node of the copy", "bricks::make_network");
    return {};
  }

  /// Joins each Softmax behind a sum with a known tensor with that sum and with the products that
  /// read it.
  void join_masked(const std::vector<bool>& runs, DisjointSets& sets) const {
    for (Unit u = 0; u < runs.size(); ++u) {
      const onnx::Node& node = n_.node(u);
      if (!runs[u] || node.op_type != "MatMul" || node.inputs.empty()) continue;
      const Unit softmax = source_of(node.inputs[0]);
      if (softmax == kNone || !runs[softmax] || n_.node(softmax).op_type != "Softmax" ||
          n_.node(softmax).inputs.empty())
        continue;
      const Unit sum = source_of(n_.node(softmax).inputs[0]);
      if (sum == kNone || !runs[sum] || n_.node(sum).op_type != "Add") continue;
      if (std::ranges::none_of(n_.node(sum).inputs,
                               [&](std::string_view name) { return is_known(name, runs); }))
        continue;
      sets.join(sum, softmax);
      sets.join(softmax, u);
    }
  }

  /// The unit that computes a tensor, behind those that only give it another shape.
  Unit source_of(std::string_view name) const {
    constexpr int kMaxSteps = 8;
    for (int step = 0; step < kMaxSteps; ++step) {
      const auto made = n_.producer.find(origin(n_, name));
      if (made == n_.producer.end()) return kNone;
      const onnx::Node& node = n_.node(made->second);
      const bool passes = node.op_type == "Reshape" || node.op_type == "Unsqueeze" ||
                          node.op_type == "Squeeze" || node.op_type == "Flatten";
      if (!passes || node.inputs.empty()) return made->second;
      name = node.inputs[0];
    }
    return kNone;
  }

  /// True if a tensor follows from constants alone, without a kernel.
  bool is_known(std::string_view name, const std::vector<bool>& runs) const {
    std::set<std::string_view> seen;
    std::vector<std::string_view> open = {name};
    while (!open.empty()) {
      const std::string_view next = open.back();
      open.pop_back();
      if (next.empty() || n_.initializer.contains(next) || !seen.insert(next).second) continue;
      const auto made = n_.producer.find(next);
      if (made == n_.producer.end() || runs[made->second]) return false;
      // A shape without a kernel does not depend on the elements.
      const std::string_view op = n_.node(made->second).op_type;
      if (op == "Shape" || op == "Size") continue;
      for (const std::string_view input : n_.node(made->second).inputs) open.push_back(input);
    }
    return true;
  }

  std::uint32_t group_of_kernel(NodeId k) const {
    const std::uint32_t layer = a_.layer_of[k];
    return layer == graph::kNone ? kNone : group_of_layer_[layer];
  }

  void place_kernels() {
    std::vector<std::uint32_t> of(a_.kernels.size(), kNone);
    for (NodeId k = 0; k < of.size(); ++k) of[k] = group_of_kernel(k);
    // Inserted kernels may follow each other, so this repeats until nothing changes.
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId k = 0; k < of.size(); ++k) {
        if (of[k] != kNone) continue;
        of[k] = group_beside(k, of);
        changed |= of[k] != kNone;
      }
    }
    for (NodeId k = 0; k < of.size(); ++k)
      if (of[k] != kNone) groups_[of[k]].kernels.push_back(k);
  }

  /// Operators, attributes and sizes of a group, the same in every file.
  std::string look_of(std::uint32_t g) const {
    std::vector<std::string> looks;
    for (const Unit u : groups_[g].units) {
      const onnx::Node& node = n_.node(u);
      std::vector<std::string> parts;
      for (const onnx::Attribute& a : node.attributes)
        parts.push_back(
            fmt::format("{} {} {} {} {}", a.name, a.i, a.f, a.s, fmt::join(a.ints, ",")));
      std::ranges::sort(parts);
      for (const auto& names : {node.inputs, node.outputs})
        for (const std::string_view name : names)
          if (const auto v = n_.value.find(name); v != n_.value.end())
            parts.push_back(sizes_text(n_.resolved.type(v->second)));
      looks.push_back(fmt::format("{} {}", std::string_view(node.op_type), fmt::join(parts, ";")));
    }
    std::ranges::sort(looks);
    return fmt::format("{}", fmt::join(looks, "|"));
  }

  /// Group of an inserted kernel.
  std::uint32_t group_beside(NodeId k, const std::vector<std::uint32_t>& of) const {
    const graph::Node kernel = n_.optimized.kernel(k);
    const graph::Model& optimized = *n_.optimized.model;
    // The reader that sorts first by its look counts, whatever the order of nodes in the file and
    // of kernels in the runtime's list; the first of equal looks.
    const auto of_reader = [&] {
      std::set<std::uint32_t> readers;
      for (const ValueId v : kernel.outputs)
        if (v != graph::kNone)
          for (const NodeId reader : optimized.consumers(v))
            if (of[reader] != kNone) readers.insert(of[reader]);
      if (readers.size() < 2) return readers.empty() ? kNone : *readers.begin();
      return *std::ranges::min_element(readers, {},
                                       [&](std::uint32_t g) { return std::pair(look_of(g), g); });
    };
    const auto of_maker = [&] {
      for (const ValueId v : kernel.inputs)
        if (v != graph::kNone && optimized.value(v).producer != graph::kNone)
          if (const std::uint32_t g = of[optimized.value(v).producer]; g != kNone) return g;
      return kNone;
    };
    const bool reads_first = kernel.op_type == "ReorderInput";
    const std::uint32_t g = reads_first ? of_reader() : of_maker();
    return g != kNone ? g : reads_first ? of_maker() : of_reader();
  }

  /// Groups that a group reads from, through units that need no kernel.
  void add_sources(std::uint32_t group, std::set<std::uint32_t>& sources) const {
    std::vector<Unit> open = groups_[group].units;
    open.insert(open.end(), groups_[group].repeated.begin(), groups_[group].repeated.end());
    std::set<Unit> seen(open.begin(), open.end());
    while (!open.empty()) {
      const Unit u = open.back();
      open.pop_back();
      attribution::each_name_read(n_.node(u), [&](std::string_view name) {
        const auto made = n_.producer.find(origin(n_, name));
        if (made == n_.producer.end() || !seen.insert(made->second).second) return;
        if (const std::uint32_t g = group_of_[made->second]; g == kNone)
          open.push_back(made->second);
        else if (g != group)
          sources.insert(g);
      });
    }
  }

  void order_layers() {
    std::vector<std::vector<std::uint32_t>> sources(groups_.size());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      std::set<std::uint32_t> of;
      add_sources(g, of);
      sources[g].assign(of.begin(), of.end());
    }
    const std::vector<std::uint32_t> component = strong_components(sources);
    std::uint32_t count = 0;
    for (const std::uint32_t c : component) count = std::max(count, c + 1);
    std::vector<FusedLayer> merged(count);
    std::vector<std::set<std::uint32_t>> readers(count);
    std::vector<std::size_t> waits(count, 0);
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      FusedLayer& to = merged[component[g]];
      append(to.units, groups_[g].units);
      append(to.repeated, groups_[g].repeated);
      append(to.kernels, groups_[g].kernels);
      for (const std::uint32_t source : sources[g])
        if (component[source] != component[g] &&
            readers[component[source]].insert(component[g]).second)
          ++waits[component[g]];
    }
    for (FusedLayer& layer : merged) {
      std::ranges::sort(layer.units);
      std::ranges::sort(layer.kernels);
      std::ranges::sort(layer.repeated);
      layer.repeated.erase(std::unique(layer.repeated.begin(), layer.repeated.end()),
                           layer.repeated.end());
      std::erase_if(layer.repeated,
                    [&](Unit u) { return std::ranges::binary_search(layer.units, u); });
    }
    // In the order of the model as far as dependences allow: the order of the runtime's kernels may
    // differ from one load to the next.
    using Ready = std::pair<Unit, std::uint32_t>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    const auto push = [&](std::uint32_t c) { ready.emplace(merged[c].units.front(), c); };
    for (std::uint32_t c = 0; c < count; ++c)
      if (waits[c] == 0) push(c);
    n_.layer_of.assign(group_of_.size(), kNone);
    while (!ready.empty()) {
      const std::uint32_t c = ready.top().second;
      ready.pop();
      for (const Unit u : merged[c].units)
        n_.layer_of[u] = static_cast<std::uint32_t>(n_.layers.size());
      n_.layers.push_back(std::move(merged[c]));
      for (const std::uint32_t reader : readers[c])
        if (--waits[reader] == 0) push(reader);
    }
  }

  std::int64_t macs(NodeId n) const {
    const ops::Dim macs = n_.resolved.counts(n).macs;
    return macs.known() ? macs.value() : 0;
  }

  /// Assigns every node of the model to a layer, or lists it as left over.
  void place_nodes() {
    std::vector<std::uint32_t> home(model_.nodes().size(), kNone);
    for (NodeId n = 0; n < home.size(); ++n)
      if (unit_of_[n] != kNone) home[n] = n_.layer_of[unit_of_[n]];
    std::vector<std::string_view> why(home.size());
    for (const profile::WithoutLayer& w : a_.without_layer)
      why[w.node] = w.why == profile::Why::kFolded   ? "computed at load time"
                    : w.why == profile::Why::kMerged ? "equal to another node, computed once"
                                                     : "has no effect on the outputs";
    for (const std::uint32_t n : a_.unplaced) why[n] = "the runtime shows no kernel for it";
    const auto inside = [&](NodeId n) { return model_.node(n).parent != graph::kNone; };
    // The first reader of a node that needs no kernel may need none itself. Readers come first here
    // if the file is sorted, so that one pass settles all.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = home.size(); i-- > 0;) {
        if (home[i] != kNone) continue;
        home[i] = home_of_reader(static_cast<NodeId>(i), home);
        changed |= home[i] != kNone;
      }
    }
    for (NodeId n = 0; n < home.size(); ++n)
      if (home[n] == kNone) home[n] = home_beside(n, home);
    for (NodeId n = 0; n < home.size(); ++n) {
      const bool uncounted = !why[n].empty() && macs(n) != 0 && !inside(n);
      if (home[n] == kNone || uncounted) {
        n_.left_over.push_back({n, std::string(why[n].empty() ? "nothing reads it" : why[n])});
        continue;
      }
      n_.layers[home[n]].nodes.push_back(n);
      n_.layers[home[n]].macs += macs(n);
    }
  }

  std::uint32_t home_of_reader(NodeId n, const std::vector<std::uint32_t>& home) const {
    std::uint32_t first = kNone;
    for (const ValueId v : model_.outputs(n))
      if (v != graph::kNone)
        for (const NodeId reader : model_.consumers(v)) first = std::min(first, home[reader]);
    return first;
  }

  /// The layer of the node's body, of its owner, or of the producer of an input.
  std::uint32_t home_beside(NodeId n, const std::vector<std::uint32_t>& home) const {
    const graph::Node node = model_.node(n);
    for (const graph::GraphId body : node.bodies)
      for (const NodeId inner : model_.graphs()[body].order)
        if (home[inner] != kNone) return home[inner];
    if (node.parent != graph::kNone && home[node.parent] != kNone) return home[node.parent];
    for (const ValueId v : node.inputs)
      if (v != graph::kNone && model_.value(v).producer != graph::kNone)
        if (const std::uint32_t h = home[model_.value(v).producer]; h != kNone) return h;
    return kNone;
  }

  Network& n_;
  const graph::Model& model_;
  const attribution::Attribution& a_;
  std::vector<Unit> unit_of_;                  // by node of the model
  std::vector<FusedLayer> groups_;             // layers before they are merged and ordered
  std::vector<std::uint32_t> group_of_;        // by unit
  std::vector<std::uint32_t> group_of_layer_;  // by layer of the attribution
};

}  // namespace

std::string_view origin(const Network& network, std::string_view name) {
  for (auto same = network.same_as.find(name); same != network.same_as.end();
       same = network.same_as.find(name))
    name = same->second;
  return name;
}

Result<Network> make_network(const analysis::Resolved& resolved, attribution::Canonical copy,
                             attribution::OptimizedGraph optimized,
                             attribution::Attribution attribution) {
  Network network{resolved,
                  std::move(copy),
                  std::move(optimized),
                  std::move(attribution),
                  {},
                  {},
                  {},
                  {},
                  {},
                  {},
                  {}};
  TRY(Maker(network).run());
  return network;
}

}  // namespace ridge::bricks
