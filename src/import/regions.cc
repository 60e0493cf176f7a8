// SPDX-License-Identifier: Apache-2.0
#include "import/regions.h"

#include <fmt/format.h>

#include <algorithm>

#include "attribution/original.h"
#include "base/text.h"
#include "import/constant_nodes.h"

namespace ridge::imports {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Evidence;

namespace {

/// Limit of node visits for filling regions; engines of real models need some thousand.
constexpr std::int64_t kVisits = 50'000'000;

std::vector<NodeId> nodes_of(const RegionEnd& end) {
  std::vector<NodeId> out = end.readers;
  for (const Found& found : end.nodes) out.push_back(found.node);
  return out;
}

}  // namespace

Regions::Regions(const std::vector<RecordedLayer>& layers, const analysis::Resolved& resolved,
                 const NameIndex& names, Naming naming)
    : layers_(layers), resolved_(resolved), model_(resolved.model()) {
  for (std::uint32_t l = 0; l < layers.size(); ++l)
    for (const RecordedRegion& region : layers[l].regions)
      regions_.push_back(
          {l, region_end(region.from, names, naming), region_end(region.to, names, naming)});
}

void Regions::fill(std::vector<Nodes>& found, std::vector<bool>& partly,
                   std::vector<bool>& placed) {
  if (regions_.empty()) return;
  found_ = &found;
  partly_ = &partly;
  placed_ = &placed;
  for (const Region& region : regions_)
    for (const RegionEnd* end : {&region.from, &region.to})
      for (const Found& node : end->nodes) put(region.layer, node.node, node.evidence);
  for (const Region& region : regions_)
    if (region.from.named() && region.to.named()) between(region, true);
  find_unmatched(partly);
  for (Region& region : regions_)
    if (region.from.weight() || region.to.weight()) begin_at_weight(region);
  for (const Region& region : regions_)
    if (nodes_of(region.from).empty() || nodes_of(region.to).empty()) fill_open(region);
}

/// A layer without nodes may be where a node is that no layer is named after.
void Regions::find_unmatched(const std::vector<bool>& partly) {
  for (std::uint32_t l = 0; l < layers_.size(); ++l)
    if (!layers_[l].inserted && layers_[l].regions.empty() && ((*found_)[l].empty() || partly[l]))
      all_matched_ = false;
}

void Regions::put(std::uint32_t layer, NodeId node, Evidence evidence) {
  (*found_)[layer].emplace_back(node, evidence);
  (*placed_)[node] = true;
}

/// Readers of the outputs, or producers of the inputs.
std::vector<NodeId> Regions::next(NodeId node, Way way) const {
  std::vector<NodeId> out;
  if (way == Way::kUp) {
    for (const ValueId v : model_.inputs(node))
      if (v != kNone && model_.value(v).producer != kNone) out.push_back(model_.value(v).producer);
  } else {
    for (const ValueId v : model_.outputs(node))
      if (v != kNone)
        for (const NodeId reader : model_.consumers(v)) out.push_back(reader);
  }
  return out;
}

std::vector<bool> Regions::reach(const std::vector<NodeId>& starts, Way way) {
  // The caller looks at each node too.
  visits_ += static_cast<std::int64_t>(model_.nodes().size());
  std::vector<bool> seen(model_.nodes().size());
  std::vector<NodeId> open = starts;
  for (const NodeId n : open) seen[n] = true;
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    ++visits_;
    for (const NodeId other : next(n, way)) {
      if (seen[other]) continue;
      seen[other] = true;
      open.push_back(other);
    }
  }
  return seen;
}

/// Adds the nodes on any way from one end to the other. `exact`: also those that other layers have.
void Regions::between(const Region& region, bool exact) {
  if (visits_ > kVisits) {
    (*partly_)[region.layer] = true;
    return;
  }
  const std::vector<bool> below = reach(nodes_of(region.from), Way::kDown),
                          above = reach(nodes_of(region.to), Way::kUp);
  for (NodeId n = 0; n < below.size(); ++n)
    if (below[n] && above[n] && (exact || !(*placed_)[n]) && !makes_constants(resolved_, n))
      put(region.layer, n, Evidence::kRegion);
}

std::vector<NodeId> Regions::unplaced(const std::vector<NodeId>& nodes) const {
  std::vector<NodeId> out;
  for (const NodeId n : nodes)
    if (!(*placed_)[n]) out.push_back(n);
  return out;
}

/// A weight that several layers read begins the region at the readers that are in no other layer.
void Regions::begin_at_weight(Region& region) {
  region.from.readers = unplaced(region.from.readers);
  region.to.readers = unplaced(region.to.readers);
  const bool whole = !nodes_of(region.from).empty() && !nodes_of(region.to).empty();
  if (!whole) return;
  between(region, false);
  grow(region.layer, region.from.weight() ? Way::kUp : Way::kDown);
  if (region.from.weight() && region.to.weight()) grow(region.layer, Way::kDown);
  ++at_weights_;
}

void Regions::fill_open(const Region& region) {
  const bool begins = !nodes_of(region.from).empty(), ends = !nodes_of(region.to).empty();
  if (begins != ends && all_matched_ && visits_ <= kVisits) {
    for (const NodeId n : nodes_of(begins ? region.from : region.to))
      if (!(*placed_)[n] && !makes_constants(resolved_, n)) put(region.layer, n, Evidence::kRegion);
    grow(region.layer, begins ? Way::kDown : Way::kUp);
    ++completed_;
    return;
  }
  ++unknown_;
  const RecordedLayer& layer = layers_[region.layer];
  if (!layer.parts.empty() || layer.regions.size() > 1) {
    (*partly_)[region.layer] = true;
    return;
  }
  for (const auto& [node, evidence] : (*found_)[region.layer]) (*placed_)[node] = false;
  (*found_)[region.layer].clear();
}

/// True if all readers of a node (or all producers of what it reads at run time) are `inside`.
bool Regions::only_for(NodeId node, Way way, const std::vector<bool>& inside) const {
  if (way == Way::kUp) {
    for (const ValueId v : model_.outputs(node))
      if (v != kNone && model_.value(v).graph_output) return false;
    return std::ranges::all_of(next(node, Way::kDown), [&](NodeId n) { return inside[n]; });
  }
  return std::ranges::all_of(model_.inputs(node), [&](ValueId v) {
    if (v == kNone || resolved_.constant(v)) return true;
    const NodeId from = model_.value(v).producer;
    return from != kNone && inside[from];
  });
}

/// Adds the nodes that are in no layer and are computed for (or from) the layer's nodes alone. A
/// product stays out where a layer without nodes may be its own.
void Regions::grow(std::uint32_t layer, Way way) {
  std::vector<bool> inside(model_.nodes().size());
  std::vector<NodeId> open;
  for (const auto& [node, evidence] : (*found_)[layer]) {
    inside[node] = true;
    open.push_back(node);
  }
  while (!open.empty() && visits_ <= kVisits) {
    const NodeId n = open.back();
    open.pop_back();
    for (const NodeId other : next(n, way)) {
      // A node is looked at once for each of its readers.
      visits_ += std::ssize(next(other, way == Way::kUp ? Way::kDown : Way::kUp)) + 1;
      if ((*placed_)[other] || makes_constants(resolved_, other) || !only_for(other, way, inside))
        continue;
      if (!all_matched_ && attribution::is_product(model_.node(other).op_type)) {
        (*partly_)[layer] = true;
        continue;
      }
      inside[other] = true;
      put(layer, other, Evidence::kRegion);
      open.push_back(other);
    }
  }
}

std::vector<std::string> Regions::notes() const {
  std::vector<std::string> out;
  const auto regions = [](std::size_t n) {
    return counted(static_cast<std::int64_t>(n), "region");
  };
  if (at_weights_ > 0)
    out.push_back(
        fmt::format("{} named after a weight: it is at the nodes that read the weight, "
                    "with what is computed for them alone",
                    regions(at_weights_)));
  if (completed_ > 0)
    out.push_back(
        fmt::format("{} with an end that the model has no name for: the nodes that are "
                    "in no other layer",
                    regions(completed_)));
  if (unknown_ > 0)
    out.push_back(
        fmt::format("{} with an end that the model has no name for: which nodes they "
                    "stand for is unknown (record with --exportLayerInfo)",
                    regions(unknown_)));
  return out;
}

}  // namespace ridge::imports
