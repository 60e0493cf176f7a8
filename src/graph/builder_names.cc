// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "graph/builder.h"

namespace ridge::graph {

namespace {

/// Values of one graph by the address of their names; direct-mapped.
class NearbyNames {
 public:
  NearbyNames() { values_.fill(kNone); }

  void add(ValueId v, std::span<const Value> values) { values_[place(values[v].name)] = v; }

  ValueId find(const Text& name, std::span<const Value> values) const {
    const ValueId v = values_[place(name)];
    if (v == kNone || values[v].name.view().data() != name.view().data()) return kNone;
    return values[v].name.size() == name.size() ? v : kNone;
  }

 private:
  static std::size_t place(const Text& name) {
    const auto address = reinterpret_cast<std::uintptr_t>(name.view().data());
    return (address ^ address >> 9) % kPlaces;
  }

  static constexpr std::size_t kPlaces = 512;
  std::array<ValueId, kPlaces> values_;
};

}  // namespace

/// Calls use(i, hashes of names(i)) for every i < count. Up to kAhead names are hashed at once, and
/// their slots in the table of `g` are prefetched: the slots are spread over a table that exceeds
/// the caches, so the misses overlap.
template <typename Names, typename Use>
Result<void> Builder::each_hashed(GraphId g, std::size_t count, const Names& names,
                                  const Use& use) {
  constexpr std::size_t kAhead = 64;
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    hashes_.clear();
    for (; last < count && hashes_.size() < kAhead; ++last) {
      for (const std::string_view name : names(last)) {
        hashes_.push_back(hash_name(name, seed_));
        scopes_[g].names.prefetch(hashes_.back());
      }
    }
    std::span<const std::uint64_t> left = hashes_;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t n = names(i).size();
      TRY(use(i, left.first(n)));
      left = left.subspan(n);
    }
  }
  return {};
}

/// Returns room for the ids of one node's inputs or outputs; use it before the next call.
std::span<ValueId> Builder::take_ids(std::uint32_t& first, std::size_t n) {
  first = static_cast<std::uint32_t>(m_.ids_.size());
  for (std::size_t i = 0; i < n; ++i) m_.ids_.push_back(kNone);
  return std::span(m_.ids_).subspan(first);
}

Result<void> Builder::add_inputs(GraphId g, const Pending& p) {
  const std::size_t count =
      p.function != nullptr ? p.function->inputs.size() : p.graph->inputs.size();
  const std::span<ValueId> inputs = arena_.array<ValueId>(count);
  for (std::size_t i = 0; i < count; ++i) {
    Value value{.name = p.function != nullptr ? p.function->inputs[i] : p.graph->inputs[i].name,
                .kind = ValueKind::kInput,
                .graph = g};
    if (p.graph != nullptr) value.declared = &p.graph->inputs[i].type;
    inputs[i] = TRY(define(g, value, hash_name(value.name, seed_)));
    if (p.function == nullptr) continue;
    const std::span<const ValueId> given = m_.inputs(p.owner);
    if (i >= given.size() || given[i] == kNone) omitted_.insert(inputs[i]);
  }
  m_.graphs_[g].inputs = inputs;
  return {};
}

Result<void> Builder::add_constants(GraphId g, const onnx::Graph& graph) {
  const std::span<const onnx::Tensor> tensors = graph.initializers;
  TRY(each_hashed(
      g, tensors.size(), [&](std::size_t i) { return std::span(&tensors[i].name, 1); },
      [&](std::size_t i, std::span<const std::uint64_t> hash) {
        const Value value{.name = tensors[i].name,
                          .kind = ValueKind::kConstant,
                          .graph = g,
                          .tensor = &tensors[i]};
        return add_constant(g, value, hash[0]);
      }));
  for (const onnx::SparseTensor& s : graph.sparse_initializers) {
    const Text name = s.values == nullptr ? Text() : s.values->name;
    const Value value{.name = name, .kind = ValueKind::kConstant, .graph = g, .sparse = &s};
    TRY(add_constant(g, value, hash_name(name, seed_)));
  }
  if (document_.model.ir_version < 4) drop_constants_from_inputs(g);
  return {};
}

Result<void> Builder::add_constant(GraphId g, const Value& constant, std::uint64_t hash) {
  const ValueId input = m_.graphs_[g].inputs.empty() ? kNone : find_own(g, hash, constant.name);
  if (input != kNone && m_.values_[input].kind == ValueKind::kInput &&
      m_.values_[input].tensor == nullptr && m_.values_[input].sparse == nullptr) {
    m_.values_[input].tensor = constant.tensor;
    m_.values_[input].sparse = constant.sparse;
    return {};
  }
  TRY(define(g, constant, hash));
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

Result<void> Builder::add_outputs(GraphId g) {
  const NodeId first = m_.graphs_[g].first;
  return each_hashed(
      g, m_.graphs_[g].last - first,
      [&](std::size_t i) { return m_.nodes_[first + i].source->outputs; },
      [&](std::size_t i, std::span<const std::uint64_t> hashes) -> Result<void> {
        Model::NodeRow& node = m_.nodes_[first + i];
        const std::span<ValueId> outputs = take_ids(node.outputs, hashes.size());
        for (std::size_t k = 0; k < outputs.size(); ++k) {
          Value value{.name = node.source->outputs[k], .kind = ValueKind::kNodeOutput, .graph = g};
          value.producer = static_cast<NodeId>(first + i);
          value.output_index = static_cast<std::uint32_t>(k);
          outputs[k] = value.name.empty() ? kNone : TRY(define(g, value, hashes[k]));
        }
        return {};
      });
}

/// Adds a value and its name. A name that already exists in this graph is an error; one of an outer
/// graph is shadowed.
Result<ValueId> Builder::define(GraphId g, const Value& value, std::uint64_t hash) {
  const auto id = static_cast<ValueId>(m_.values_.size());
  m_.values_.push_back(value);
  if (value.name.empty()) return id;
  const auto [first, fresh] = scopes_[g].names.insert(
      hash, id, [&](ValueId other) { return m_.values_[other].name == value.name; });
  if (fresh) return id;
  return input_error("RIDGE-GRAPH-0002", fmt::format("value '{}' is defined twice", value.name))
      .evidence(fmt::format("first defined as {}, then as {}", definition(m_.values_[first]),
                            definition(value)))
      .hint("every value must have one definition; rename one of the two and its uses")
      .in(place(g));
}

Result<void> Builder::declare(GraphId g, std::span<const onnx::ValueInfo> infos) {
  return each_hashed(
      g, infos.size(), [&](std::size_t i) { return std::span(&infos[i].name, 1); },
      [&](std::size_t i, std::span<const std::uint64_t> hash) -> Result<void> {
        const ValueId v = infos[i].name.empty() ? kNone : find_own(g, hash[0], infos[i].name);
        if (v != kNone && m_.values_[v].declared == nullptr)
          m_.values_[v].declared = &infos[i].type;
        return {};
      });
}

/// Resolves inputs. The output of a nearby node is found without hashing: the reader interns recent
/// texts, so equal addresses imply equal names. The other names are hashed some nodes ahead, as in
/// each_hashed.
Result<void> Builder::resolve_inputs(GraphId g) {
  constexpr NodeId kNodesAhead = 32;
  constexpr std::size_t kNamesAhead = 64;
  const NodeId end = m_.graphs_[g].last;
  NearbyNames nearby;
  for (NodeId first = m_.graphs_[g].first, last = first; first < end; first = last) {
    hashes_.clear();
    for (; last < end && last < first + kNodesAhead && hashes_.size() < kNamesAhead; ++last) {
      const NodeId n = last;
      m_.nodes_[n].inputs = static_cast<std::uint32_t>(m_.ids_.size());
      for (const Text& name : m_.nodes_[n].source->inputs) {
        m_.ids_.push_back(nearby.find(name, m_.values_));
        if (m_.ids_.back() != kNone) continue;
        hashes_.push_back(hash_name(name, seed_));
        scopes_[g].names.prefetch(hashes_.back());
      }
      for (const ValueId v : m_.outputs(n))
        if (v != kNone) nearby.add(v, m_.values_);
    }
    std::size_t hashed = 0;
    for (NodeId n = first; n < last; ++n)
      for (std::size_t i = 0; i < m_.inputs(n).size(); ++i) {
        ValueId& input = m_.ids_[m_.nodes_[n].inputs + i];
        if (input == kNone) input = TRY(resolve_input(g, n, i, hashes_[hashed++]));
      }
  }
  return {};
}

Result<ValueId> Builder::resolve_input(GraphId g, NodeId n, std::size_t i, std::uint64_t hash) {
  const std::string_view name = m_.nodes_[n].source->inputs[i];
  if (name.empty()) return kNone;
  const Found found = find(g, hash, name);
  if (found.value == kNone) {
    return input_error("RIDGE-GRAPH-0001", "this value is undefined")
        .evidence(
            "no input, initializer or node output of this or an enclosing graph has this name")
        .hint("the graph may have been cut out of a larger one; export the model again")
        .in(place(n, fmt::format("input {} '{}'", i, name)));
  }
  // Whoever reads an input that the call leaves out has an input less (ONNX IR, "Functions").
  if (!omitted_.empty() && omitted_.contains(found.value)) return kNone;
  const NodeId producer = m_.values_[found.value].producer;
  if (producer == kNone) return found.value;
  if (found.graph != g)
    note_capture(g, found);
  else if (producer >= n)
    m_.graphs_[g].sorted = false;
  return found.value;
}

/// Records that a body reads a value of an enclosing graph: the node in that graph that owns the
/// body depends on the producer.
void Builder::note_capture(GraphId from, const Found& found) {
  NodeId holder = m_.graphs_[from].owner;
  while (m_.nodes_[holder].graph != found.graph) holder = m_.graphs_[m_.nodes_[holder].graph].owner;
  captures_.push_back({holder, found.value});
  if (m_.values_[found.value].producer >= holder) m_.graphs_[found.graph].sorted = false;
}

Result<void> Builder::resolve_outputs(GraphId g, const Pending& p) {
  const std::size_t count =
      p.function != nullptr ? p.function->outputs.size() : p.graph->outputs.size();
  const std::span<ValueId> outputs = arena_.array<ValueId>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name =
        p.function != nullptr ? p.function->outputs[i] : p.graph->outputs[i].name;
    const Found found = name.empty() ? Found{} : find(g, hash_name(name, seed_), name);
    if (found.value == kNone) {
      return input_error("RIDGE-GRAPH-0004", "this output is undefined")
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

Builder::Found Builder::find(GraphId g, std::uint64_t hash, std::string_view name) const {
  for (; g != kNone; g = scopes_[g].around)
    if (const ValueId v = find_own(g, hash, name); v != kNone) return {v, g};
  return {};
}

std::string Builder::place(GraphId g) const {
  const Graph& graph = m_.graphs_[g];
  if (graph.owner == kNone) return fmt::format("graph '{}'", graph.name);
  const Scope& scope = scopes_[g];
  const std::string inside = scope.attribute.empty()
                                 ? describe(*frames_[scope.frame].function)
                                 : fmt::format("{} '{}'", scope.attribute, graph.name);
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
