// SPDX-License-Identifier: Apache-2.0
#include "attribution/conservation.h"

#include <fmt/format.h>

namespace ridge::attribution {
namespace {

using profile::Role;

Error broken(std::string what) { return bug(std::move(what), "attribution::check_conservation"); }

struct Seen {
  bool executed = false, absorbed = false, part = false, without = false, unplaced = false;
};

Result<void> look_at_layers(const Attribution& a, std::vector<Seen>& seen) {
  std::vector<bool> kernel_seen(a.kernels.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    const Layer& layer = a.layers[l];
    for (const std::uint32_t k : layer.kernels) {
      if (kernel_seen[k] || a.layer_of[k] != l)
        return broken(fmt::format("kernel {} '{}' is in two layers", k, a.kernels[k].name));
      kernel_seen[k] = true;
    }
    if (layer.members.empty() && !layer.inserted)
      return broken(fmt::format("layer '{}' has no members", layer.name));
    for (const profile::Member& m : layer.members) {
      Seen& s = seen[m.node];
      bool& flag = m.role == Role::kExecutes   ? s.executed
                   : m.role == Role::kAbsorbed ? s.absorbed
                                               : s.part;
      if (flag && m.role != Role::kPart)
        return broken(fmt::format("node #{} is in two layers", m.node));
      flag = true;
    }
  }
  for (std::size_t k = 0; k < kernel_seen.size(); ++k)
    if (!kernel_seen[k] && a.layer_of[k] != graph::kNone)
      return broken(fmt::format("kernel {} '{}' is in no layer", k, a.kernels[k].name));
  return {};
}

}  // namespace

Result<void> check_conservation(const analysis::Resolved& resolved, const Attribution& a) {
  std::vector<Seen> seen(resolved.model().nodes().size());
  TRY(look_at_layers(a, seen));
  for (const profile::WithoutLayer& w : a.without_layer) {
    if (seen[w.node].without) return broken(fmt::format("node #{} is listed twice", w.node));
    seen[w.node].without = true;
  }
  for (const std::uint32_t n : a.unplaced) seen[n].unplaced = true;
  for (graph::NodeId n = 0; n < seen.size(); ++n) {
    const Seen& s = seen[n];
    const ops::Dim macs = resolved.counts(n).macs;
    const int places = s.executed + s.absorbed + s.without + s.unplaced;
    if (places != 1 || (s.part && !s.executed))
      return broken(fmt::format("{} is in {} places", resolved.model().describe(n), places));
    if (s.absorbed && macs.known() && !macs.is(0))
      return broken(fmt::format("{} has MACs and is absorbed", resolved.model().describe(n)));
  }
  return {};
}

}  // namespace ridge::attribution
