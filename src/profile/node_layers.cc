// SPDX-License-Identifier: Apache-2.0
#include "profile/node_layers.h"

namespace ridge::profile {
namespace {

std::int64_t macs_of(const Profile& p, std::uint32_t node) {
  return p.nodes[node].work.macs.value_or(0);
}

}  // namespace

const Member* leading_member(const Profile& p, const Layer& layer) {
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

std::vector<NodeLayer> layers_of_nodes(const Profile& p) {
  std::vector<NodeLayer> out(p.nodes.size());
  for (const Layer& layer : p.layers) {
    const Member* leader = leading_member(p, layer);
    for (const Member& m : layer.members) {
      if (m.node >= out.size()) continue;
      NodeLayer& now = out[m.node];
      if (now.member != nullptr &&
          (m.role != Role::kExecutes || now.member->role == Role::kExecutes))
        continue;
      now = {&layer, &m, &m == leader};
    }
  }
  return out;
}

}  // namespace ridge::profile
