// SPDX-License-Identifier: Apache-2.0
#include "export/formats/model_notes.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Member;
using profile::Profile;
using profile::Role;

std::int64_t macs_of(const Profile& p, std::uint32_t node) {
  return p.nodes[node].work.macs.value_or(0);
}

/// Member that leads the layer (NodeLayer::leads); nullptr where it has no members.
const Member* leader(const Profile& p, const Layer& layer) {
  const Member* best = nullptr;
  for (const Member& m : layer.members) {
    if (m.node >= p.nodes.size()) continue;
    const bool executes = m.role == Role::kExecutes;
    if (best == nullptr || (executes && best->role != Role::kExecutes) ||
        (executes && macs_of(p, m.node) > macs_of(p, best->node)))
      best = &m;
  }
  return best;
}

Error another_model(std::string what) {
  return input_error("RIDGE-EXP-0003",
                     "this is not the model that was profiled: " + std::move(what))
      .hint("pass the profiled model with --model");
}

}  // namespace

std::vector<NodeLayer> layers_of_nodes(const Profile& p) {
  std::vector<NodeLayer> out(p.nodes.size());
  for (const Layer& layer : p.layers) {
    const Member* first = leader(p, layer);
    for (const Member& m : layer.members) {
      if (m.node >= out.size()) continue;
      NodeLayer& now = out[m.node];
      if (now.member != nullptr &&
          (m.role != Role::kExecutes || now.member->role == Role::kExecutes))
        continue;
      now = {&layer, &m, &m == first};
    }
  }
  return out;
}

Result<void> check_model(const Profile& p, const graph::Model& model) {
  if (!p.subject.graph_hash.empty()) {
    const std::string hash = graph::structure_hash(model);
    if (hash != p.subject.graph_hash)
      return another_model(fmt::format("its structure hash is {}, that of the run is {}", hash,
                                       printable(p.subject.graph_hash)));
    return {};
  }
  for (const profile::Node& n : p.nodes) {
    if (n.index >= model.nodes().size())
      return another_model(
          fmt::format("the run refers to node #{}, the model has {}", n.index,
                      counted(static_cast<std::int64_t>(model.nodes().size()), "node")));
    const std::string_view type = model.node(n.index).op_type;
    if (type != n.op_type)
      return another_model(fmt::format("node #{} is {}, in the run it is {}", n.index,
                                       printable(type), printable(n.op_type)));
  }
  return {};
}

}  // namespace ridge::exports
