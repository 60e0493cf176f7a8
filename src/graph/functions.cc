// SPDX-License-Identifier: Apache-2.0
#include "graph/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ridge::graph {
namespace {

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;

Key key_of(const onnx::Function& f) { return {f.name, onnx::normal_domain(f.domain), f.overload}; }
Key key_of(const onnx::Node& n) { return {n.op_type, onnx::normal_domain(n.domain), n.overload()}; }

}  // namespace

std::string describe(const onnx::Function& f) {
  const std::string_view colon = f.domain.empty() ? "" : ":";
  const std::string_view second = f.overload.empty() ? "" : ":";
  return fmt::format("function '{}{}{}{}{}'", f.domain, colon, f.name, second, f.overload);
}

Result<FunctionTable> FunctionTable::make(std::span<const onnx::Function> functions) {
  FunctionTable table;
  for (const onnx::Function& f : functions) table.sorted_.push_back(&f);
  std::stable_sort(table.sorted_.begin(), table.sorted_.end(),
                   [](const auto* a, const auto* b) { return key_of(*a) < key_of(*b); });
  for (std::size_t i = 1; i < table.sorted_.size(); ++i) {
    if (key_of(*table.sorted_[i]) != key_of(*table.sorted_[i - 1])) continue;
    return input_error("RIDGE-GRAPH-0012", describe(*table.sorted_[i]) + " is defined twice")
        .hint("a function is identified by domain, name and overload; export the model again");
  }
  TRY(table.refuse_recursion());
  return table;
}

const onnx::Function* FunctionTable::find(const onnx::Node& node) const {
  if (sorted_.empty()) return nullptr;
  const Key key = key_of(node);
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), key,
                       [](const onnx::Function* f, const Key& k) { return key_of(*f) < k; });
  return at != sorted_.end() && key_of(**at) == key ? *at : nullptr;
}

std::size_t FunctionTable::position(const onnx::Function* function) const {
  const auto at =
      std::lower_bound(sorted_.begin(), sorted_.end(), function,
                       [](const auto* a, const auto* b) { return key_of(*a) < key_of(*b); });
  return static_cast<std::size_t>(at - sorted_.begin());
}

std::vector<const onnx::Function*> FunctionTable::callees(const onnx::Function& function) const {
  std::vector<const onnx::Function*> called;
  std::vector<std::span<const onnx::Node>> pending{function.nodes};
  while (!pending.empty()) {
    const std::span<const onnx::Node> nodes = pending.back();
    pending.pop_back();
    for (const onnx::Node& node : nodes) {
      if (const onnx::Function* f = find(node)) called.push_back(f);
      for (const onnx::Attribute& a : node.attributes) {
        if (a.g != nullptr) pending.push_back(a.g->nodes);
        for (const onnx::Graph& g : a.graphs) pending.push_back(g.nodes);
      }
    }
  }
  std::sort(called.begin(), called.end());
  called.erase(std::unique(called.begin(), called.end()), called.end());
  return called;
}

Result<void> FunctionTable::refuse_recursion() const {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Frame {
    const onnx::Function* function;
    std::vector<const onnx::Function*> callees;
    std::size_t next = 0;
  };
  std::vector<State> state(sorted_.size(), State::kNew);
  for (const onnx::Function* root : sorted_) {
    if (state[position(root)] != State::kNew) continue;
    std::vector<Frame> path;
    path.push_back({root, callees(*root)});
    state[position(root)] = State::kOpen;
    while (!path.empty()) {
      Frame& top = path.back();
      if (top.next == top.callees.size()) {
        state[position(top.function)] = State::kDone;
        path.pop_back();
        continue;
      }
      const onnx::Function* callee = top.callees[top.next++];
      State& seen = state[position(callee)];
      if (seen == State::kDone) continue;
      if (seen == State::kNew) {
        seen = State::kOpen;
        path.push_back({callee, callees(*callee)});
        continue;
      }
      std::string chain;
      auto from = std::find_if(path.begin(), path.end(),
                               [&](const Frame& f) { return f.function == callee; });
      for (; from != path.end(); ++from) chain += describe(*from->function) + " calls ";
      return input_error("RIDGE-GRAPH-0005", describe(*callee) + " calls itself")
          .evidence(chain + describe(*callee))
          .hint("ONNX forbids recursive functions; write the repetition as a Loop");
    }
  }
  return {};
}

}  // namespace ridge::graph
