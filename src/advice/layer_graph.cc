#include "advice/layer_graph.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

namespace ridge::advice {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Sets of nodes of the main graph, each named by one of its members.
class Sets {
 public:
  explicit Sets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// The node of the main graph in whose bodies a node is.
NodeId owner(const graph::Model& model, NodeId n) {
  while (model.graph_of(n) != 0) n = model.graphs()[model.graph_of(n)].owner;
  return n;
}

using Edges = std::vector<std::set<std::uint32_t>>;  // by task: its followers

/// Strongly connected components in topological order (Tarjan 1972, without recursion); by task:
/// the number of its component.
class Components {
 public:
  explicit Components(const Edges& edges) : edges_(edges), state_(edges.size()) {
    for (std::uint32_t t = 0; t < edges.size(); ++t)
      if (state_[t].index == 0) visit(t);
    // They were found from the last to the first.
    for (State& s : state_) s.component = count_ - 1 - s.component;
  }
  std::uint32_t count() const { return count_; }
  std::uint32_t of(std::uint32_t task) const { return state_[task].component; }

 private:
  struct State {
    std::uint32_t index = 0, low = 0, component = 0;
    bool open = false;
    std::set<std::uint32_t>::const_iterator next;
  };

  void enter(std::uint32_t t) {
    state_[t].index = state_[t].low = ++clock_;
    state_[t].open = true;
    state_[t].next = edges_[t].begin();
    path_.push_back(t);
    open_.push_back(t);
  }

  void visit(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::uint32_t t = path_.back();
      State& s = state_[t];
      if (s.next != edges_[t].end()) {
        const std::uint32_t follower = *s.next++;
        if (state_[follower].index == 0)
          enter(follower);
        else if (state_[follower].open)
          s.low = std::min(s.low, state_[follower].index);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) state_[path_.back()].low = std::min(state_[path_.back()].low, s.low);
      if (s.low == s.index) close(t);
    }
  }

  void close(std::uint32_t first) {
    while (true) {
      const std::uint32_t t = open_.back();
      open_.pop_back();
      state_[t].open = false;
      state_[t].component = count_;
      if (t == first) break;
    }
    ++count_;
  }

  const Edges& edges_;
  std::vector<State> state_;
  std::vector<std::uint32_t> path_, open_;
  std::uint32_t clock_ = 0, count_ = 0;
};

}  // namespace

LayerGraph::LayerGraph(const graph::Model& model, const profile::Profile& profile) {
  Sets sets(model.nodes().size());
  std::vector<std::uint32_t> node_of_layer;
  for (const profile::Layer& layer : profile.layers) {
    std::uint32_t first = kNone;
    for (const profile::Member& m : layer.members) {
      if (m.role == profile::Role::kAbsorbed || m.node >= model.nodes().size()) continue;
      const NodeId n = owner(model, m.node);
      if (first == kNone)
        first = n;
      else
        sets.join(first, n);
    }
    node_of_layer.push_back(first);
  }
  Edges edges(model.nodes().size());
  for (const graph::Value& v : model.values()) {
    if (v.producer == kNone) continue;
    const std::uint32_t from = sets.find(owner(model, v.producer));
    const auto id = static_cast<ValueId>(&v - model.values().data());
    for (const NodeId reader : model.consumers(id))
      if (const std::uint32_t to = sets.find(owner(model, reader)); to != from)
        edges[from].insert(to);
  }
  const Components components(edges);
  after_.resize(components.count());
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint32_t n = 0; n < edges.size(); ++n)
    for (const std::uint32_t to : edges[n])
      if (const std::pair edge(components.of(n), components.of(to));
          edge.first != edge.second && seen.insert(edge).second)
        after_[edge.first].push_back(edge.second);
  for (const std::uint32_t n : node_of_layer)
    task_of_layer_.push_back(n == kNone ? kNone : components.of(sets.find(n)));
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

}  // namespace ridge::advice
