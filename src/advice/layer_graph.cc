// SPDX-License-Identifier: Apache-2.0
#include "advice/layer_graph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/strong_components.h"

namespace ridge::advice {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// The node of the main graph in whose bodies a node is.
NodeId owner(const graph::Model& model, NodeId n) {
  while (model.graph_of(n) != 0) n = model.graphs()[model.graph_of(n)].owner;
  return n;
}

}  // namespace

LayerGraph::LayerGraph(const graph::Model& model, const profile::Profile& profile,
                       std::span<const LayerEdge> placed) {
  const std::size_t nodes = model.nodes().size();
  DisjointSets sets(nodes);
  std::vector<std::uint32_t> vertex_of_layer;
  for (const profile::Layer& layer : profile.layers) {
    std::uint32_t first = kNone;
    for (const profile::Member& m : layer.members) {
      if (m.role == profile::Role::kAbsorbed || m.node >= nodes) continue;
      const NodeId n = owner(model, m.node);
      if (first == kNone)
        first = n;
      else
        sets.join(first, n);
    }
    vertex_of_layer.push_back(first);
  }
  std::vector<std::vector<std::uint32_t>> edges(nodes);
  for (const graph::Value& v : model.values()) {
    if (v.producer == kNone) continue;
    const std::uint32_t from = sets.root(owner(model, v.producer));
    const auto id = static_cast<ValueId>(&v - model.values().data());
    for (const NodeId reader : model.consumers(id))
      if (const std::uint32_t to = sets.root(owner(model, reader)); to != from)
        edges[from].push_back(to);
  }
  const auto vertex = [&](std::size_t layer) {
    std::uint32_t& at = vertex_of_layer[layer];
    if (at == kNone) {
      at = static_cast<std::uint32_t>(edges.size());
      edges.emplace_back();
    }
    return at < nodes ? sets.root(at) : at;
  };
  for (const LayerEdge& edge : placed)
    if (const std::uint32_t from = vertex(edge.from), to = vertex(edge.to); from != to)
      edges[from].push_back(to);
  const std::vector<std::uint32_t> task = order(edges);
  for (NodeId n = 0; n < nodes; ++n) task_of_node_.push_back(task[sets.root(owner(model, n))]);
  shares_input_.resize(after_.size());
  for (const graph::Value& v : model.values()) {
    std::set<std::uint32_t> readers;
    for (const NodeId n : model.consumers(static_cast<ValueId>(&v - model.values().data())))
      readers.insert(task_of_node_[n]);
    if (readers.size() > 1)
      for (const std::uint32_t reader : readers) shares_input_[reader] = true;
  }
  for (const std::uint32_t v : vertex_of_layer)
    task_of_layer_.push_back(v == kNone ? kNone : v < nodes ? task_of_node_[v] : task[v]);
}

std::vector<std::uint32_t> LayerGraph::order(const std::vector<std::vector<std::uint32_t>>& edges) {
  const std::vector<std::uint32_t> component = strong_components(edges);
  const std::size_t count = component.empty() ? 0 : std::ranges::max(component) + 1;
  std::vector<std::uint32_t> task;  // components are numbered from the last to the first
  for (const std::uint32_t c : component) task.push_back(static_cast<std::uint32_t>(count - 1 - c));
  after_.resize(count);
  for (std::uint32_t from = 0; from < edges.size(); ++from)
    for (const std::uint32_t to : edges[from])
      if (task[from] != task[to]) after_[task[from]].push_back(task[to]);
  for (std::vector<std::uint32_t>& followers : after_) {
    std::ranges::sort(followers);
    const auto repeated = std::ranges::unique(followers);
    followers.erase(repeated.begin(), repeated.end());
  }
  return task;
}

std::vector<double> LayerGraph::times(std::span<const double> layer_ns) const {
  std::vector<double> out(after_.size());
  for (std::size_t l = 0; l < layer_ns.size(); ++l)
    if (task_of_layer_[l] != kNone) out[task_of_layer_[l]] += layer_ns[l];
  return out;
}

std::vector<double> LayerGraph::levels(std::span<const double> task_ns) const {
  std::vector<double> out(task_ns.begin(), task_ns.end());
  for (std::size_t t = after_.size(); t-- > 0;) {
    double behind = 0;
    for (const std::uint32_t follower : after_[t]) behind = std::max(behind, out[follower]);
    out[t] += behind;
  }
  return out;
}

double LayerGraph::longest_path(std::span<const double> layer_ns) const {
  const std::vector<double> level = levels(times(layer_ns));
  return level.empty() ? 0 : std::ranges::max(level);
}

double LayerGraph::scheduled(std::span<const double> layer_ns, std::uint32_t workers) const {
  const std::vector<double> task_ns = times(layer_ns);
  const std::vector<double> level = levels(task_ns);
  std::vector<std::uint32_t> missing(after_.size());
  for (const std::vector<std::uint32_t>& followers : after_)
    for (const std::uint32_t follower : followers) ++missing[follower];
  std::priority_queue<std::pair<double, std::uint32_t>> ready;  // level, task
  for (std::uint32_t t = 0; t < after_.size(); ++t)
    if (missing[t] == 0) ready.emplace(level[t], t);
  using End = std::pair<double, std::uint32_t>;  // time, task
  std::priority_queue<End, std::vector<End>, std::greater<>> running;
  double now = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && running.size() < std::max(1U, workers)) {
      const std::uint32_t task = ready.top().second;
      ready.pop();
      running.emplace(now + task_ns[task], task);
    }
    const std::uint32_t done = running.top().second;
    now = running.top().first;
    running.pop();
    for (const std::uint32_t follower : after_[done])
      if (--missing[follower] == 0) ready.emplace(level[follower], follower);
  }
  return now;
}

std::optional<double> LayerGraph::scheduled(const profile::Profile& run,
                                            std::uint32_t workers) const {
  if (run.subject.threads != 1) return std::nullopt;
  std::vector<double> layer_ns;
  for (const profile::Layer& layer : run.layers) layer_ns.push_back(layer.corrected_ns);
  const double latency = run.latency.ns.value;
  const double sum = std::accumulate(layer_ns.begin(), layer_ns.end(), 0.0);
  const double outside = std::max(0.0, latency - sum);
  return std::min(latency, scheduled(layer_ns, workers) + outside);
}

}  // namespace ridge::advice
