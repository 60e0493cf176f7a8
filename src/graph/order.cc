// SPDX-License-Identifier: Apache-2.0
#include "graph/order.h"

#include <algorithm>

namespace ridge::graph {
namespace {

enum class State : std::uint8_t { kNew, kOpen, kDone };

struct Step {
  NodeId node;
  std::size_t next = 0;  ///< index into the node's inputs, then into its captures
};

class Sorter {
 public:
  Sorter(const Model& model, const Graph& graph, std::span<const Capture> captures)
      : model_(model), graph_(graph), captures_(captures), state_(graph.last - graph.first) {}

  // Example: the file lists A: Relu(b) -> a, B: Relu(x) -> c, C: Relu(x) -> b. A is opened first
  // and needs C, which is placed before it; then B follows: C, A, B. If C read a instead, it would
  // find A still open, and the cycle A, C would be returned.
  std::vector<NodeId> run(std::span<NodeId> order) {
    std::size_t placed = 0;
    for (NodeId root = graph_.first; root != graph_.last; ++root) {
      if (state(root) != State::kNew) continue;
      push(root);
      while (!path_.empty()) {
        Step& top = path_.back();
        const NodeId needed = next_dependency(top);
        if (needed == kNone) {
          state(top.node) = State::kDone;
          order[placed++] = top.node;
          path_.pop_back();
        } else if (state(needed) == State::kOpen) {
          return cycle_from(needed);
        } else if (state(needed) == State::kNew) {
          push(needed);
        }
      }
    }
    return {};
  }

 private:
  State& state(NodeId n) { return state_[n - graph_.first]; }

  void push(NodeId n) {
    state(n) = State::kOpen;
    path_.push_back({n});
  }

  /// Returns the next producer within this graph that the node depends on, or kNone.
  NodeId next_dependency(Step& step) const {
    const std::span<const ValueId> inputs = model_.inputs(step.node);
    const auto [first, last] =
        std::equal_range(captures_.begin(), captures_.end(), Capture{step.node, 0});
    const std::size_t total = inputs.size() + static_cast<std::size_t>(last - first);
    while (step.next < total) {
      const std::size_t i = step.next++;
      const ValueId v = i < inputs.size()
                            ? inputs[i]
                            : first[static_cast<std::ptrdiff_t>(i - inputs.size())].value;
      if (v == kNone) continue;
      const NodeId producer = model_.value(v).producer;
      if (producer != kNone && producer >= graph_.first && producer < graph_.last) return producer;
    }
    return kNone;
  }

  std::vector<NodeId> cycle_from(NodeId start) const {
    std::vector<NodeId> cycle;
    auto at =
        std::find_if(path_.begin(), path_.end(), [&](const Step& s) { return s.node == start; });
    for (; at != path_.end(); ++at) cycle.push_back(at->node);
    return cycle;
  }

  const Model& model_;
  const Graph& graph_;
  std::span<const Capture> captures_;
  std::vector<State> state_;
  std::vector<Step> path_;
};

}  // namespace

std::vector<NodeId> topological_order(const Model& model, const Graph& graph,
                                      std::span<const Capture> captures, std::span<NodeId> order) {
  return Sorter(model, graph, captures).run(order);
}

}  // namespace ridge::graph
