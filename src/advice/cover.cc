// SPDX-License-Identifier: Apache-2.0
#include "advice/cover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "advice/layer_graph.h"
#include "analysis/node_bytes.h"

namespace ridge::advice {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The layers of all ways one after the other, as members only. What a way merges or computes
/// inside another node is timed there.
profile::Profile all_layers(std::span<const Way> ways) {
  profile::Profile out;
  for (const Way& way : ways) {
    std::unordered_map<NodeId, std::size_t> layer_of;
    const auto add = [&](std::size_t layer, NodeId n) {
      out.layers[layer].members.push_back({.node = n, .role = profile::Role::kExecutes});
      layer_of.emplace(n, layer);
    };
    for (const profile::Layer& layer : way.run->layers) {
      out.layers.emplace_back();
      for (const profile::Member& m : layer.members) add(out.layers.size() - 1, m.node);
    }
    for (const profile::WithoutLayer& w : way.run->without_layer)
      if (w.with)
        if (const auto found = layer_of.find(*w.with); found != layer_of.end())
          add(found->second, w.node);
  }
  return out;
}

class Covering {
 public:
  Covering(const analysis::Resolved& resolved, std::span<const Way> ways, double bytes_per_s)
      : model_(resolved.model()),
        ways_(ways),
        graph_(model_, all_layers(ways)),
        times_(ways.size(), std::vector<double>(graph_.tasks(), 0)),
        outside_(ways.size()),
        nodes_(graph_.tasks()) {
    for (NodeId n = 0; n < model_.nodes().size(); ++n) nodes_[graph_.task_of_node(n)].push_back(n);
    add_times();
    add_cuts(resolved, bytes_per_s);
  }

  Cover run() {
    for (std::uint32_t t = 0; t < graph_.tasks(); ++t) step(t);
    Cover out = traced();
    for (const Way& way : ways_)
      if (way.run->latency.ns.value <= out.total_ns)
        out = {.total_ns = way.run->latency.ns.value, .pieces = pieces_of(way), .parts = 1};
    return out;
  }

 private:
  void add_times() {
    std::size_t l = 0;
    std::vector<std::vector<bool>> timed(ways_.size(), std::vector<bool>(graph_.tasks()));
    for (std::size_t w = 0; w < ways_.size(); ++w) {
      const profile::Profile& run = *ways_[w].run;
      double inside = 0;
      for (const profile::Layer& layer : run.layers) {
        const std::uint32_t task = graph_.task_of_layer(l++);
        if (task == kNone) continue;
        times_[w][task] += layer.corrected_ns;
        timed[w][task] = true;
        inside += layer.corrected_ns;
      }
      for (const profile::WithoutLayer& without : run.without_layer)
        timed[w][graph_.task_of_node(without.node)] = true;
      outside_[w] = std::max(0.0, run.latency.ns.value - inside);
    }
    // A piece that one way times and another neither times nor removes is unknown there.
    for (std::uint32_t t = 0; t < graph_.tasks(); ++t) {
      const bool any = std::ranges::any_of(timed, [t](const auto& of) { return of[t]; });
      for (std::size_t w = 0; any && w < ways_.size(); ++w)
        if (!timed[w][t]) times_[w][t] = kNever;
    }
  }

  /// By task: the time to hand over what is alive before it.
  void add_cuts(const analysis::Resolved& resolved, double bytes_per_s) {
    std::vector<double> change(graph_.tasks() + 1, 0);
    for (ValueId v = 0; v < model_.values().size(); ++v) {
      const NodeId producer = model_.value(v).producer;
      if (producer == kNone) continue;
      const std::uint32_t from = graph_.task_of_node(producer);
      std::uint32_t last = from;
      for (const NodeId reader : model_.consumers(v))
        last = std::max(last, graph_.task_of_node(reader));
      const double size = static_cast<double>(analysis::value_bytes(resolved, v).value_or(0));
      change[from + 1] += size;
      change[last + 1] -= size;
    }
    double alive = 0;
    for (std::uint32_t t = 0; t < graph_.tasks(); ++t) {
      alive += change[t];
      cuts_.push_back(bytes_per_s > 0 ? 2e9 * alive / bytes_per_s : kNever);
    }
  }

  /// Extends the best covers of the tasks before `t` by that task in each way.
  void step(std::uint32_t t) {
    std::vector<double> next(ways_.size());
    std::vector<std::uint32_t> from(ways_.size());
    for (std::uint32_t w = 0; w < ways_.size(); ++w) {
      double best = t == 0 ? outside_[w] : best_[w];
      from[w] = w;
      for (std::uint32_t u = 0; t > 0 && u < ways_.size(); ++u)
        if (const double changed = best_[u] + cuts_[t] + outside_[w]; changed < best) {
          best = changed;
          from[w] = u;
        }
      next[w] = best + times_[w][t];
    }
    best_ = std::move(next);
    from_.push_back(std::move(from));
  }

  /// The cover that the steps found, from its end to its begin.
  Cover traced() const {
    Cover out{.total_ns = kNever, .pieces = {}, .parts = 1};
    if (best_.empty()) return out;
    auto w = static_cast<std::uint32_t>(std::ranges::min_element(best_) - best_.begin());
    out.total_ns = best_[w];
    for (std::uint32_t t = static_cast<std::uint32_t>(graph_.tasks()); t-- > 0;) {
      if (times_[w][t] > 0) out.pieces.push_back({nodes_[t], times_[w][t], ways_[w].name});
      if (from_[t][w] != w) ++out.parts;
      w = from_[t][w];
    }
    std::ranges::reverse(out.pieces);
    return out;
  }

  std::vector<AchievableLayer> pieces_of(const Way& way) const {
    std::vector<AchievableLayer> out;
    const auto w = static_cast<std::size_t>(&way - ways_.data());
    for (std::uint32_t t = 0; t < graph_.tasks(); ++t)
      if (times_[w][t] > 0 && times_[w][t] < kNever)
        out.push_back({nodes_[t], times_[w][t], way.name});
    return out;
  }

  const graph::Model& model_;
  std::span<const Way> ways_;
  LayerGraph graph_;
  std::vector<std::vector<double>> times_;        // by way and task
  std::vector<double> outside_;                   // by way
  std::vector<double> cuts_;                      // by task
  std::vector<std::vector<NodeId>> nodes_;        // by task
  std::vector<double> best_;                      // by way
  std::vector<std::vector<std::uint32_t>> from_;  // by task and way
};

}  // namespace

Cover best_cover(const analysis::Resolved& resolved, std::span<const Way> ways,
                 double bytes_per_s) {
  return Covering(resolved, ways, bytes_per_s).run();
}

}  // namespace ridge::advice
