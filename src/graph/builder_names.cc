#include <fmt/format.h>

#include <algorithm>

#include "graph/builder.h"

namespace ridge::graph {

Result<void> Builder::add_inputs(GraphId g, const Pending& p) {
  const std::size_t count = p.function != nullptr ? p.function->inputs.size() : p.graph->inputs.size();
  const std::span<ValueId> inputs = arena_.array<ValueId>(count);
  for (std::size_t i = 0; i < count; ++i) {
    Value value{.name = p.function != nullptr ? p.function->inputs[i] : p.graph->inputs[i].name,
                .kind = ValueKind::kInput,
                .graph = g};
    if (p.graph != nullptr) value.declared = &p.graph->inputs[i].type;
    inputs[i] = TRY(define(g, value));
  }
  m_.graphs_[g].inputs = inputs;
  return {};
}

Result<void> Builder::add_constants(GraphId g, const onnx::Graph& graph) {
  for (const onnx::Tensor& t : graph.initializers) TRY(add_constant(g, t.name, &t, nullptr));
  for (const onnx::SparseTensor& s : graph.sparse_initializers)
    TRY(add_constant(g, s.values == nullptr ? std::string_view() : s.values->name, nullptr, &s));
  if (document_.model.ir_version < 4) drop_constants_from_inputs(g);
  return {};
}

Result<void> Builder::add_constant(GraphId g, std::string_view name, const onnx::Tensor* tensor,
                                   const onnx::SparseTensor* sparse) {
  const ValueId input = name.empty() ? kNone : find_own(g, hash_name(name, seed_), name);
  if (input != kNone && m_.values_[input].kind == ValueKind::kInput && m_.values_[input].tensor == nullptr &&
      m_.values_[input].sparse == nullptr) {
    m_.values_[input].tensor = tensor;
    m_.values_[input].sparse = sparse;
    return {};
  }
  TRY(define(g, {.name = name, .kind = ValueKind::kConstant, .graph = g, .tensor = tensor, .sparse = sparse}));
  return {};
}

void Builder::drop_constants_from_inputs(GraphId g) {
  std::vector<ValueId> inputs;
  for (const ValueId v : m_.graphs_[g].inputs) {
    Value& value = m_.values_[v];
    if (value.tensor == nullptr && value.sparse == nullptr)
      inputs.push_back(v);
    else
      value.kind = ValueKind::kConstant;
  }
  m_.graphs_[g].inputs = arena_.copy(inputs);
}

/// Adds a value and its name. A name that this graph already has is an error; one of an outer graph is shadowed.
Result<ValueId> Builder::define(GraphId g, const Value& value) {
  const auto id = static_cast<ValueId>(m_.values_.size());
  m_.values_.push_back(value);
  if (value.name.empty()) return id;
  const auto [first, fresh] = scopes_[g].names.insert(
      hash_name(value.name, seed_), id, [&](ValueId other) { return m_.values_[other].name == value.name; });
  if (fresh) return id;
  return input_error("RIDGE-GRAPH-0002", fmt::format("value '{}' is defined twice", value.name))
      .evidence(fmt::format("first as {}, again as {}", definition(m_.values_[first]), definition(value)))
      .hint("every value has one definition; rename one of the two and those that read it")
      .in(place(g));
}

void Builder::declare(GraphId g, std::span<const onnx::ValueInfo> infos) {
  for (const onnx::ValueInfo& info : infos) {
    if (info.name.empty()) continue;
    const ValueId v = find_own(g, hash_name(info.name, seed_), info.name);
    if (v != kNone && m_.values_[v].declared == nullptr) m_.values_[v].declared = &info.type;
  }
}

Result<void> Builder::resolve_inputs(GraphId g) {
  for (NodeId n = m_.graphs_[g].first; n != m_.graphs_[g].last; ++n) {
    const std::span<const std::string_view> names = m_.nodes_[n].source->inputs;
    const std::span<ValueId> inputs = arena_.array<ValueId>(names.size());
    m_.nodes_[n].inputs = inputs;
    for (std::size_t i = 0; i < names.size(); ++i) {
      inputs[i] = kNone;
      if (names[i].empty()) continue;
      const Found found = find(g, names[i]);
      if (found.value == kNone) {
        return input_error("RIDGE-GRAPH-0001", "nothing defines this value")
            .evidence("no input, initializer or node output here, nor in a graph around it, has the name")
            .hint("the graph may have been cut out of a larger one; export the model again")
            .in(place(n, fmt::format("input {} '{}'", i, names[i])));
      }
      inputs[i] = found.value;
      const NodeId producer = m_.values_[found.value].producer;
      if (producer == kNone) continue;
      if (found.graph != g)
        note_capture(g, found);
      else if (producer >= n)
        m_.graphs_[g].sorted = false;
    }
  }
  return {};
}

/// A body reads a value of a graph around it: whoever holds the body there waits for the producer.
void Builder::note_capture(GraphId from, const Found& found) {
  NodeId holder = m_.graphs_[from].owner;
  while (m_.nodes_[holder].graph != found.graph) holder = m_.graphs_[m_.nodes_[holder].graph].owner;
  captures_.push_back({holder, found.value});
  if (m_.values_[found.value].producer >= holder) m_.graphs_[found.graph].sorted = false;
}

Result<void> Builder::resolve_outputs(GraphId g, const Pending& p) {
  const std::size_t count = p.function != nullptr ? p.function->outputs.size() : p.graph->outputs.size();
  const std::span<ValueId> outputs = arena_.array<ValueId>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = p.function != nullptr ? p.function->outputs[i] : p.graph->outputs[i].name;
    const Found found = name.empty() ? Found{} : find(g, name);
    if (found.value == kNone) {
      return input_error("RIDGE-GRAPH-0004", "nothing produces this output")
          .evidence("no input, initializer or node output of the graph has the name")
          .hint("the graph may have been cut out of a larger one; export the model again")
          .in(fmt::format("output {} '{}'", i, name))
          .in(place(g));
    }
    outputs[i] = found.value;
    if (found.graph != g) {
      if (m_.values_[found.value].producer != kNone) note_capture(g, found);
      continue;
    }
    Value& value = m_.values_[found.value];
    value.graph_output = true;
    if (value.declared == nullptr && p.graph != nullptr) value.declared = &p.graph->outputs[i].type;
  }
  m_.graphs_[g].outputs = outputs;
  return {};
}

ValueId Builder::find_own(GraphId g, std::uint64_t hash, std::string_view name) const {
  return scopes_[g].names.find(hash, [&](ValueId v) { return m_.values_[v].name == name; });
}

Builder::Found Builder::find(GraphId g, std::string_view name) const {
  const std::uint64_t hash = hash_name(name, seed_);
  for (; g != kNone; g = scopes_[g].around)
    if (const ValueId v = find_own(g, hash, name); v != kNone) return {v, g};
  return {};
}

std::string Builder::place(GraphId g) const {
  const Graph& graph = m_.graphs_[g];
  if (graph.owner == kNone) return fmt::format("graph '{}'", graph.name);
  const Scope& scope = scopes_[g];
  const std::string inside =
      scope.attribute.empty() ? describe(*frames_[scope.frame].function) : fmt::format("{} '{}'", scope.attribute, graph.name);
  return place(graph.owner, inside);
}

std::string Builder::place(NodeId n, std::string_view what) const {
  std::string text = place(m_.nodes_[n].graph) + " > " + m_.describe(n);
  if (!what.empty()) text.append(" > ").append(what);
  return text;
}

std::string Builder::definition(const Value& value) const {
  if (value.kind == ValueKind::kInput) return "an input of the graph";
  if (value.kind == ValueKind::kConstant) return "an initializer";
  return fmt::format("output {} of {}", value.output_index, m_.describe(value.producer));
}

}  // namespace ridge::graph
