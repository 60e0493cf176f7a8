// SPDX-License-Identifier: Apache-2.0
#include "measure/cut_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ridge::measure {
namespace {

using graph::NodeId;
using profile::Layer;

/// Maximum number of cuts tried for one target position.
constexpr std::size_t kTries = 20;

/// Positions of the layers relative to a cut; nullopt if the cut is not usable.
std::optional<PlannedCut> between_layers(const analysis::Cut& cut, const std::vector<bool>& before,
                                         const std::vector<Layer>& layers) {
  PlannedCut out{.cut = cut};
  std::size_t first_after = layers.size();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    std::size_t here = 0;
    for (const profile::Member& m : layers[l].members) here += before[m.node] ? 1 : 0;
    if (layers[l].members.empty()) continue;
    if (here == 0) {
      first_after = std::min(first_after, l);
    } else if (here < layers[l].members.size() || first_after < l) {
      return std::nullopt;
    } else {
      out.layers = static_cast<std::uint32_t>(l + 1);
    }
  }
  if (out.layers == 0 || first_after == layers.size()) return std::nullopt;
  out.boundary = static_cast<std::uint32_t>(first_after) - out.layers;
  return out;
}

class Planner {
 public:
  Planner(const analysis::Resolved& resolved, const std::vector<Layer>& layers)
      : model_(resolved.model()), layers_(layers), cuts_(analysis::cuts(resolved)) {
    std::vector<std::size_t> rank(model_.nodes().size(), 0);
    const std::span<const NodeId> order = model_.main().order;
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    place(rank, order.size());
  }

  CutPlan run(std::size_t count) {
    CutPlan plan;
    if (cuts_.empty()) {
      plan.reason = "no tensor of the model is all that later nodes read";
      return plan;
    }
    for (std::size_t k = 1; k <= count; ++k)
      choose(static_cast<double>(k) / static_cast<double>(count + 1), plan.cuts);
    std::sort(plan.cuts.begin(), plan.cuts.end(),
              [](const PlannedCut& a, const PlannedCut& b) { return a.layers < b.layers; });
    if (plan.cuts.empty())
      plan.reason = "layers reach across every tensor that later nodes read alone";
    return plan;
  }

 private:
  struct Candidate {
    std::size_t cut;
    double share;  ///< share of the layers' time before it
    bool tried = false;
  };

  std::size_t rank_of(NodeId n, const std::vector<std::size_t>& rank) const {
    while (model_.graph_of(n) != 0) n = model_.graphs()[model_.graph_of(n)].owner;
    return rank[n];
  }

  /// Collects the cuts that no layer spans in model order, with the share of time before them.
  void place(const std::vector<std::size_t>& rank, std::size_t nodes) {
    std::vector<double> ends(nodes + 1, 0);         // by rank: time of the layers that end there
    std::vector<std::int64_t> spans(nodes + 1, 0);  // layers open behind a rank, as differences
    double total = 0;
    for (const Layer& layer : layers_) {
      if (layer.members.empty()) continue;
      std::size_t first = nodes, last = 0;
      for (const profile::Member& m : layer.members) {
        first = std::min(first, rank_of(m.node, rank));
        last = std::max(last, rank_of(m.node, rank));
      }
      ends[last] += layer.corrected_ns;
      total += layer.corrected_ns;
      ++spans[first];
      --spans[last];
    }
    // Example: layers A = nodes 0, 1 (2 us), B = node 2 (1 us), C = node 3 (1 us). spans: +1 at 0
    // and -1 at 1 for A; B and C cancel at their own rank. r = 0: open = 1, a cut behind node 0 is
    // inside A. r = 1: open = 0, time = 2, so a cut behind node 1 has share 2 / 4. r = 2: share 3 /
    // 4.
    std::size_t next = 0;
    double time = 0;
    std::int64_t open = 0;
    for (std::size_t r = 0; r < nodes; ++r) {
      time += ends[r];
      open += spans[r];
      for (; next < cuts_.size() && rank[cuts_[next].node] == r; ++next)
        if (open == 0) candidates_.push_back({next, total > 0 ? time / total : 0});
    }
  }

  /// Adds the usable cut whose share of time is nearest to `share`.
  void choose(double share, std::vector<PlannedCut>& out) {
    for (std::size_t tries = 0; tries < kTries; ++tries) {
      Candidate* best = nullptr;
      for (Candidate& c : candidates_)
        if (!c.tried &&
            (best == nullptr || std::abs(c.share - share) < std::abs(best->share - share)))
          best = &c;
      if (best == nullptr) return;
      best->tried = true;
      const analysis::Cut& cut = cuts_[best->cut];
      const auto usable = between_layers(cut, analysis::ancestors(model_, cut.tensor), layers_);
      const bool known = usable && std::any_of(out.begin(), out.end(), [&](const PlannedCut& o) {
                           return o.layers == usable->layers;
                         });
      if (!usable || known) continue;
      out.push_back(*usable);
      return;
    }
  }

  const graph::Model& model_;
  const std::vector<Layer>& layers_;
  std::vector<analysis::Cut> cuts_;
  std::vector<Candidate> candidates_;
};

}  // namespace

CutPlan plan_cuts(const analysis::Resolved& resolved, const std::vector<Layer>& layers,
                  std::size_t count) {
  return Planner(resolved, layers).run(count);
}

}  // namespace ridge::measure
