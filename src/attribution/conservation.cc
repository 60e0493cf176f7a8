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

std::int64_t known_or_zero(ops::Dim d) { return d.known() ? d.value() : 0; }

}  // namespace

Result<Coverage> check_conservation(const analysis::Resolved& resolved, const Attribution& a) {
  Coverage c;
  c.nodes = static_cast<std::int64_t>(resolved.model().nodes().size());
  std::vector<Seen> seen(resolved.model().nodes().size());
  TRY(look_at_layers(a, seen));
  for (const profile::WithoutLayer& w : a.without_layer) {
    if (seen[w.node].without) return broken(fmt::format("node #{} is listed twice", w.node));
    seen[w.node].without = true;
  }
  for (const std::uint32_t n : a.unplaced) seen[n].unplaced = true;
  for (graph::NodeId n = 0; n < seen.size(); ++n) {
    const Seen& s = seen[n];
    const std::int64_t macs = known_or_zero(resolved.counts(n).macs);
    const int places = s.executed + s.absorbed + s.without + s.unplaced;
    if (places != 1 || (s.part && !s.executed))
      return broken(fmt::format("{} is in {} places", resolved.model().describe(n), places));
    if (s.absorbed && macs != 0)
      return broken(fmt::format("{} has MACs and is absorbed", resolved.model().describe(n)));
    c.macs += macs;
    if (s.executed) c.macs_executed += macs;
    if (s.executed || s.absorbed) ++c.placed;
    if (s.without) ++c.without_layer;
    if (s.unplaced) ++c.unplaced;
  }
  for (const Layer& layer : a.layers)
    for (const profile::Member& m : layer.members)
      if (m.role != Role::kPart) ++c.by_evidence[static_cast<std::size_t>(m.evidence)];
  return c;
}

}  // namespace ridge::attribution
