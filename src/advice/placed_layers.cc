// SPDX-License-Identifier: Apache-2.0
#include "advice/placed_layers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "attribution/boundary.h"

namespace ridge::advice {
namespace {

using attribution::Attribution;
using attribution::LayerTraffic;
using attribution::OptimizedGraph;
using graph::NodeId;
using graph::ValueId;
using profile::Layer;
using profile::Member;
using profile::Profile;

bool has_node(const std::vector<Member>& members) {
  return std::ranges::any_of(members,
                             [](const Member& m) { return m.role != profile::Role::kAbsorbed; });
}

/// Nodes; of a layer without nodes its operator and the bytes that it moves.
using Identity = std::tuple<std::vector<NodeId>, std::string, profile::Count, profile::Count>;

Identity identity(const std::vector<Member>& members, const std::string& type,
                  const profile::Count& bytes, const profile::Count& written) {
  if (!has_node(members)) return {{}, type, bytes, written};
  std::vector<NodeId> nodes;
  for (const Member& m : members) nodes.push_back(m.node);
  return {std::move(nodes), {}, {}, {}};
}

void add_chain(std::size_t layer, std::size_t layers, std::vector<LayerEdge>& out) {
  if (layer > 0) out.push_back({layer - 1, layer});
  if (layer + 1 < layers) out.push_back({layer, layer + 1});
}

class Placement {
 public:
  Placement(const Profile& run, const ExecutedGraph& executed)
      : run_(run),
        kernels_(*executed.kernels),
        layers_(*executed.layers),
        traffic_(attribution::boundary_traffic(*executed.model, kernels_, layers_)),
        counterpart_(layers_.layers.size()) {}

  std::vector<LayerEdge> edges() {
    match();
    std::set<std::size_t> left;
    for (std::size_t l = 0; l < run_.layers.size(); ++l)
      if (!has_node(run_.layers[l].members)) left.insert(l);
    for (std::size_t l = 0; l < counterpart_.size(); ++l) {
      if (!counterpart_[l] || !left.contains(*counterpart_[l])) continue;
      const std::set<std::size_t> before = around(l, true), after = around(l, false);
      if (before.empty() && after.empty()) continue;
      for (const std::size_t from : before) edges_.push_back({from, *counterpart_[l]});
      for (const std::size_t to : after) edges_.push_back({*counterpart_[l], to});
      left.erase(*counterpart_[l]);
    }
    for (const std::size_t l : left) add_chain(l, run_.layers.size(), edges_);
    return std::move(edges_);
  }

 private:
  /// Finds the counterparts: layers with the same identity in both, as often in one as in the
  /// other.
  void match() {
    std::map<Identity, std::vector<std::size_t>> measured, loaded;
    for (std::size_t l = 0; l < run_.layers.size(); ++l) {
      const Layer& layer = run_.layers[l];
      measured[identity(layer.members, layer.type, layer.bytes, layer.output_bytes)].push_back(l);
    }
    for (std::size_t l = 0; l < layers_.layers.size(); ++l) {
      const attribution::Layer& layer = layers_.layers[l];
      loaded[identity(layer.members, layer.type, traffic_[l].bytes(), traffic_[l].written)]
          .push_back(l);
    }
    for (const auto& [key, of_run] : measured) {
      const auto found = loaded.find(key);
      if (found == loaded.end() || found->second.size() != of_run.size()) continue;
      for (std::size_t i = 0; i < of_run.size(); ++i) counterpart_[found->second[i]] = of_run[i];
    }
  }

  /// Measured layers that produce what the layer reads, or read what it produces; through layers
  /// that were not measured.
  std::set<std::size_t> around(std::size_t layer, bool before) const {
    std::set<std::size_t> out;
    std::set<NodeId> seen;
    std::vector<NodeId> open(layers_.layers[layer].kernels.begin(),
                             layers_.layers[layer].kernels.end());
    while (!open.empty()) {
      const NodeId kernel = open.back();
      open.pop_back();
      for (const NodeId next : beside(kernel, before)) {
        const std::uint32_t l = layers_.layer_of[next];
        if (l == layer || !seen.insert(next).second) continue;
        if (l != graph::kNone && counterpart_[l])
          out.insert(*counterpart_[l]);
        else
          open.push_back(next);
      }
    }
    return out;
  }

  std::vector<NodeId> beside(NodeId kernel, bool before) const {
    std::vector<NodeId> out;
    const graph::Model& model = *kernels_.model;
    if (before) {
      for (const ValueId v : model.inputs(kernel))
        if (v != graph::kNone && model.value(v).producer != graph::kNone)
          out.push_back(model.value(v).producer);
    } else {
      for (const ValueId v : model.outputs(kernel))
        if (v != graph::kNone) {
          const std::span<const NodeId> readers = model.consumers(v);
          out.insert(out.end(), readers.begin(), readers.end());
        }
    }
    return out;
  }

  const Profile& run_;
  const OptimizedGraph& kernels_;
  const Attribution& layers_;
  std::vector<LayerTraffic> traffic_;
  std::vector<std::optional<std::size_t>> counterpart_;  // by loaded layer
  std::vector<LayerEdge> edges_;
};

}  // namespace

std::vector<LayerEdge> placed_layers(const Profile& run, const ExecutedGraph& executed) {
  return Placement(run, executed).edges();
}

}  // namespace ridge::advice
