// SPDX-License-Identifier: Apache-2.0
#include "graph/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace ridge::graph {
namespace {

/// Budget items of a function besides its nodes' lists: its own lists, and the text of its names,
/// since names are printed again for each call.
std::size_t items_beside(const onnx::Function& f) {
  std::size_t text = 0;
  for (const onnx::Node& n : f.nodes) {
    text += n.name.size();
    for (const auto names : {n.inputs, n.outputs})
      for (const std::string_view name : names) text += name.size();
  }
  return f.value_info.size() + f.inputs.size() + f.default_attributes.size() + text / 64;
}

AttributeIndex index_of(std::span<const onnx::Attribute> attributes, Arena& arena) {
  std::vector<const onnx::Attribute*> sorted;
  for (const onnx::Attribute& a : attributes) sorted.push_back(&a);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->name < b->name; });
  return arena.copy(sorted);
}

const onnx::Attribute* named(AttributeIndex attributes, std::string_view name) {
  const auto at =
      std::lower_bound(attributes.begin(), attributes.end(), name,
                       [](const onnx::Attribute* a, std::string_view n) { return a->name < n; });
  return at != attributes.end() && (*at)->name == name ? *at : nullptr;
}

bool holds_graphs(const onnx::Attribute& a) { return a.g != nullptr || !a.graphs.empty(); }

}  // namespace

Result<Model> Model::build(std::shared_ptr<const onnx::Document> document,
                           const BuildLimits& limits) {
  Model model;
  model.document_ = std::move(document);
  model.arena_ = std::make_shared<Arena>();
  Builder builder(model, limits);
  if (Result<void> built = builder.run(); !built.ok())
    return std::move(built).error().in_file(model.document_->path);
  return model;
}

Builder::Builder(Model& model, const BuildLimits& limits)
    : m_(model),
      document_(*model.document_),
      limits_(limits),
      arena_(*model.arena_),
      seed_(reinterpret_cast<std::uintptr_t>(&model.document_) >> 4),
      modules_(arena_, seed_) {}

Result<void> Builder::run() {
  functions_ = TRY(FunctionTable::make(document_.model.functions));
  const std::size_t nodes = document_.model.graph.nodes.size();
  m_.nodes_.reserve(nodes + nodes / 8 + 16);
  modules_.reserve(nodes);
  TRY(add_all({.graph = &document_.model.graph}));
  TRY(expand_calls());
  TRY(order_graphs());
  index_consumers();
  m_.modules_ = modules_.take();
  return {};
}

/// Adds the root graph, then its bodies depth-first.
Result<void> Builder::add_all(const Pending& root) {
  std::vector<Pending> pending{root};
  while (!pending.empty()) {
    const Pending p = pending.back();
    pending.pop_back();
    TRY(add_graph(p));
    const auto from = static_cast<std::ptrdiff_t>(pending.size());
    for (const NodeId n : with_bodies_) push_bodies(n, pending);
    std::reverse(pending.begin() + from, pending.end());
  }
  return {};
}

Result<void> Builder::add_graph(const Pending& p) {
  const std::span<const onnx::Node> nodes =
      p.function != nullptr ? p.function->nodes : p.graph->nodes;
  const Lengths listed = lengths(nodes);
  // Cost of a body in nodes; long lists are charged as nodes too, so that the node budget bounds
  // time and memory.
  const std::size_t items =
      listed.inputs + listed.outputs + listed.attributes +
      (p.function != nullptr ? items_beside(*p.function)
                             : p.graph->value_info.size() + p.graph->initializers.size());
  TRY(charge(p, static_cast<std::int64_t>(nodes.size() + items / 16)));
  const auto g = static_cast<GraphId>(m_.graphs_.size());
  if (p.slot != nullptr) *p.slot = g;
  Graph graph;
  graph.name = p.function != nullptr ? p.function->name : p.graph->name;
  graph.owner = p.owner;
  graph.first = graph.last = static_cast<NodeId>(m_.nodes_.size());
  m_.graphs_.push_back(graph);

  const std::size_t names =
      listed.outputs + (p.function != nullptr
                            ? p.function->inputs.size()
                            : p.graph->inputs.size() + p.graph->initializers.size() +
                                  p.graph->sparse_initializers.size());
  Scope scope{.names = NameTable(scratch_, names, static_cast<ValueId>(m_.values_.size())),
              .around = p.around,
              .frame = p.frame,
              .attribute = p.attribute};
  scope.in_call = inside_call(p);
  if (p.owner != kNone) scope.depth = scopes_[m_.nodes_[p.owner].graph].depth + 1;
  if (scope.depth > limits_.depth) {
    return input_error("RIDGE-GRAPH-0015",
                       fmt::format("bodies and calls are nested more than {} deep", limits_.depth))
        .hint("inline the functions before exporting (onnx.inliner.inline_local_functions)")
        .in(place(GraphId{0}));
  }
  if (p.function != nullptr) {
    const NodeId call = p.owner;
    scope.module = modules_.of_call(*m_.nodes_[call].source, m_.nodes_[call].module);
  } else if (p.around != kNone) {
    scope.module = scopes_[p.around].module;
  }
  scopes_.push_back(scope);
  if (p.owner == kNone) {
    m_.values_.reserve(names + names / 8 + 16);
    m_.ids_.reserve(listed.inputs + listed.outputs + 16);
  }

  TRY(add_inputs(g, p));
  if (p.graph != nullptr) TRY(add_constants(g, *p.graph));
  TRY(add_nodes(g, nodes));
  TRY(declare(g, p.function != nullptr ? p.function->value_info : p.graph->value_info));
  TRY(resolve_inputs(g));
  return resolve_outputs(g, p);
}

bool Builder::inside_call(const Pending& p) const {
  return p.function != nullptr || (p.owner != kNone && scopes_[m_.nodes_[p.owner].graph].in_call);
}

Builder::Lengths Builder::lengths(std::span<const onnx::Node> nodes) {
  Lengths sum;
  for (const onnx::Node& n : nodes) {
    sum.inputs += n.inputs.size();
    sum.outputs += n.outputs.size();
    sum.attributes += n.attributes.size();
  }
  return sum;
}

Result<void> Builder::charge(const Pending& p, std::int64_t cost) {
  total_ += cost;
  if (inside_call(p)) expanded_ += cost;
  if (total_ > limits_.nodes) {
    return input_error("RIDGE-GRAPH-0007",
                       fmt::format("the model has more than {} nodes", limits_.nodes))
        .hint("split the model");
  }
  if (expanded_ > limits_.expanded) {
    const Frame& frame = frames_.back();
    return input_error("RIDGE-GRAPH-0008",
                       fmt::format("calls expand to more than {} nodes", limits_.expanded))
        .evidence(
            fmt::format("reached at call {}, of {}", frames_.size(), describe(*frame.function)))
        .hint(
            "functions that call others several times grow exponentially; inline or simplify them "
            "before exporting")
        .in(place(GraphId{0}));
  }
  return {};
}

Result<void> Builder::add_nodes(GraphId g, std::span<const onnx::Node> nodes) {
  with_bodies_.clear();
  TRY(use_opsets(g));
  for (const onnx::Node& n : nodes) TRY(add_node(g, n));
  m_.graphs_[g].last = static_cast<NodeId>(m_.nodes_.size());
  return add_outputs(g);
}

Result<void> Builder::add_node(GraphId g, const onnx::Node& source) {
  const auto id = static_cast<NodeId>(m_.nodes_.size());
  const NodeId owner = m_.graphs_[g].owner;
  const Scope& scope = scopes_[g];
  const bool in_function_root = owner != kNone && scope.around == kNone;
  const ModuleId around = owner == kNone     ? 0
                          : in_function_root ? scope.module
                                             : m_.nodes_[owner].module;

  m_.nodes_.push_back(
      {.source = &source, .graph = g, .module = modules_.place(source, scope.module, around)});
  const auto here = [&] { return place(id, ""); };
  m_.nodes_[id].kind = TRY_IN(here(), kind_of(source));
  TRY_IN(here(), resolve_attributes(id));
  return {};
}

/// Replaces attribute references of the node by the values from the calls; a reference without a
/// value is dropped (ONNX IR, "Attribute parameters").
Result<void> Builder::resolve_attributes(NodeId n) {
  const GraphId g = m_.nodes_[n].graph;
  const onnx::Node& source = *m_.nodes_[n].source;
  bool references = false, bodies = false;
  for (const onnx::Attribute& a : source.attributes) {
    references |= !a.ref_attr_name.empty();
    bodies |= holds_graphs(a);
  }
  if (references) {
    if (scopes_[g].frame == kNone) {
      const auto& a = *std::find_if(source.attributes.begin(), source.attributes.end(),
                                    [](const auto& x) { return !x.ref_attr_name.empty(); });
      return input_error(
                 "RIDGE-GRAPH-0010",
                 fmt::format(
                     "attribute '{}' refers to the caller's attribute '{}' outside a function",
                     a.name, a.ref_attr_name))
          .hint(
              "only nodes of a function's body may refer to attributes of the call; export the "
              "model again");
    }
    std::vector<onnx::Attribute> given;
    for (const onnx::Attribute& a : source.attributes) {
      const onnx::Attribute* from = origin(g, a).first;
      if (from == nullptr) continue;
      given.push_back(*from);
      given.back().name = a.name;
      bodies |= holds_graphs(*from);
    }
    extra_of(n).attributes = arena_.copy(given);
  }
  if (bodies && functions_.find(source) == nullptr) with_bodies_.push_back(n);
  return {};
}

/// Returns the data that few nodes have; created on first use.
Model::NodeExtra& Builder::extra_of(NodeId n) {
  std::uint32_t& extra = m_.nodes_[n].extra;
  if (extra == kNone) {
    extra = static_cast<std::uint32_t>(m_.extras_.size());
    m_.extras_.push_back({.attributes = m_.nodes_[n].source->attributes, .bodies = {}});
  }
  return m_.extras_[extra];
}

/// Follows the references of an attribute of a node in graph `g` outwards. Returns the attribute
/// and the graph where it was written, in whose scope its bodies resolve names. {nullptr, …} if
/// neither a caller nor a default provides it.
std::pair<const onnx::Attribute*, GraphId> Builder::origin(GraphId g,
                                                           const onnx::Attribute& source) const {
  const onnx::Attribute* a = &source;
  while (a != nullptr && !a->ref_attr_name.empty() && scopes_[g].frame != kNone) {
    const Frame& frame = frames_[scopes_[g].frame];
    const onnx::Attribute* given = named(frame.given, a->ref_attr_name);
    if (given == nullptr) return {named(frame.defaults, a->ref_attr_name), g};
    a = given;
    g = m_.nodes_[frame.call].graph;
  }
  return {a, g};
}

void Builder::push_bodies(NodeId n, std::vector<Pending>& pending) {
  const Node node = m_.node(n);
  std::size_t count = 0;
  for (const onnx::Attribute& a : node.attributes)
    count += a.graphs.size() + (a.g != nullptr ? 1 : 0);
  const std::span<GraphId> bodies = arena_.array<GraphId>(count);
  extra_of(n).bodies = bodies;
  std::size_t at = 0;
  for (const onnx::Attribute& source : node.source->attributes) {
    const auto [from, around] = origin(node.graph, source);
    if (from == nullptr || !holds_graphs(*from)) continue;
    Pending body{
        .owner = n, .around = around, .frame = scopes_[around].frame, .attribute = source.name};
    const auto push = [&](const onnx::Graph& graph) {
      body.graph = &graph;
      body.slot = &bodies[at++];
      pending.push_back(body);
    };
    if (from->g != nullptr) push(*from->g);
    for (const onnx::Graph& graph : from->graphs) push(graph);
  }
}

/// Expands calls by ascending node id, including those inside expanded bodies.
Result<void> Builder::expand_calls() {
  if (functions_.empty()) return {};
  for (NodeId n = 0; n < m_.nodes_.size(); ++n)
    if (const onnx::Function* f = functions_.find(*m_.nodes_[n].source)) TRY(expand_call(n, *f));
  return {};
}

Result<void> Builder::expand_call(NodeId call, const onnx::Function& function) {
  const Node node = m_.node(call);
  const std::uint32_t outer = scopes_[node.graph].frame;
  const int depth = outer == kNone ? 1 : frames_[outer].depth + 1;
  if (depth > limits_.call_depth) {
    return input_error(
               "RIDGE-GRAPH-0006",
               fmt::format("function calls are nested more than {} deep", limits_.call_depth))
        .evidence("the innermost is " + describe(function))
        .hint("inline the functions before exporting (onnx.inliner.inline_local_functions)")
        .in(place(GraphId{0}));
  }
  const auto too_many = [&](std::string_view what, std::size_t given, std::size_t wanted) {
    return input_error("RIDGE-GRAPH-0009", fmt::format("the call has {} {}, but {} has {}", given,
                                                       what, describe(function), wanted))
        .hint("the model and its functions are inconsistent; export it again")
        .in(place(call, ""));
  };
  if (node.inputs.size() > function.inputs.size())
    return too_many("inputs", node.inputs.size(), function.inputs.size());
  if (node.outputs.size() > function.outputs.size())
    return too_many("outputs", node.outputs.size(), function.outputs.size());

  frames_.push_back({&function, call, depth, index_of(node.source->attributes, arena_),
                     index_of(function.default_attributes, arena_)});
  const std::span<GraphId> body = arena_.array<GraphId>(1);
  extra_of(call).bodies = body;
  return add_all({.function = &function,
                  .owner = call,
                  .frame = static_cast<std::uint32_t>(frames_.size() - 1),
                  .slot = body.data()});
}

/// Sets opsets_ to the imports of graph `g`: the function's first, then the model's.
Result<void> Builder::use_opsets(GraphId g) {
  const onnx::Function* function =
      scopes_[g].frame == kNone ? nullptr : frames_[scopes_[g].frame].function;
  if (g != 0 && function == opsets_of_) return {};
  opsets_of_ = function;
  recent_kinds_.fill(kNone);
  opsets_.clear();
  if (function != nullptr) opsets_.assign(function->opsets.begin(), function->opsets.end());
  opsets_.insert(opsets_.end(), document_.model.opsets.begin(), document_.model.opsets.end());
  for (onnx::OperatorSet& o : opsets_) o.domain = onnx::normal_domain(o.domain);
  for (const onnx::OperatorSet& o : opsets_) {
    if (o.version >= 1 && o.version <= std::numeric_limits<std::int32_t>::max()) continue;
    return input_error("RIDGE-GRAPH-0011",
                       fmt::format("opset_import of domain '{}' has the invalid version {}",
                                   o.domain, o.version))
        .hint("versions start at 1; the file is damaged or not written by an ONNX exporter");
  }
  std::stable_sort(opsets_.begin(), opsets_.end(),
                   [](const auto& a, const auto& b) { return a.domain < b.domain; });
  if (function != nullptr) return {};
  const auto twice = std::adjacent_find(
      opsets_.begin(), opsets_.end(),
      [](const auto& a, const auto& b) { return a.domain == b.domain && a.version != b.version; });
  if (twice == opsets_.end()) return {};
  return input_error("RIDGE-GRAPH-0013",
                     fmt::format("domain '{}' is imported at versions {} and {}", twice->domain,
                                 twice->version, (twice + 1)->version))
      .hint("keep one opset_import per domain");
}

Result<KindId> Builder::kind_of(const onnx::Node& source) {
  const std::string_view name = source.op_type, domain = onnx::normal_domain(source.domain);
  KindId& recent = recent_kinds_[hash_name(name, seed_) % recent_kinds_.size()];
  if (recent != kNone && m_.kinds_[recent].op_type == name && m_.kinds_[recent].domain == domain)
    return recent;
  const NodeKind kind{domain, name, TRY(opset_of(domain))};
  const auto next = static_cast<KindId>(m_.kinds_.size());
  const auto [at, fresh] = kinds_.try_emplace({domain, name, kind.opset}, next);
  if (fresh) m_.kinds_.push_back(kind);
  return recent = at->second;
}

Result<std::int32_t> Builder::opset_of(std::string_view domain) const {
  const auto at =
      std::lower_bound(opsets_.begin(), opsets_.end(), domain,
                       [](const onnx::OperatorSet& o, std::string_view d) { return o.domain < d; });
  if (at != opsets_.end() && at->domain == domain) return static_cast<std::int32_t>(at->version);
  if (!domain.empty()) return 0;
  if (document_.model.ir_version < 3) return 1;  // opset_import was added in IR version 3
  return input_error("RIDGE-GRAPH-0014", "the model does not import the default operator set")
      .evidence(fmt::format("opset_import has no entry for domain '' (IR version {})",
                            document_.model.ir_version))
      .hint("export the model again, or add the opset_import that it was written for");
}

Result<void> Builder::order_graphs() {
  const std::span<NodeId> ids = arena_.array<NodeId>(m_.nodes_.size());
  std::iota(ids.begin(), ids.end(), NodeId{0});
  std::sort(captures_.begin(), captures_.end());
  for (GraphId g = 0; g < m_.graphs_.size(); ++g) {
    Graph& graph = m_.graphs_[g];
    const std::span<NodeId> order = ids.subspan(graph.first, graph.last - graph.first);
    graph.order = order;
    if (graph.sorted) continue;
    const std::vector<NodeId> cycle = topological_order(m_, graph, captures_, order);
    if (cycle.empty()) continue;
    std::string path;
    for (std::size_t i = 0; i < cycle.size() && i < 8; ++i)
      path += m_.describe(cycle[i]) + " reads from ";
    if (cycle.size() > 8) path += fmt::format("… ({} nodes) … ", cycle.size());
    return input_error("RIDGE-GRAPH-0003", "nodes form a cycle")
        .evidence(path + m_.describe(cycle.front()))
        .hint("an ONNX graph has no cycles; use Loop or Scan for repetition")
        .in(place(g));
  }
  return {};
}

// Builds the readers of each value in compressed sparse rows: the readers of v are
// consumer_[consumer_start_[v] .. consumer_start_[v + 1]), each once and ascending.
//
// Example: node 0 reads v0 twice, node 1 reads v0 and v1. The first pass counts 2 readers of v0
// (node 0 once) and 1 of v1: consumer_start_ = {0, 2, 3}. The second pass fills consumer_: {0, 1}
// for v0, then {1} for v1.
void Builder::index_consumers() {
  std::vector<std::uint32_t>& start = m_.consumer_start_;
  start.assign(m_.values_.size() + 1, 0);
  const auto each_input = [&](const auto& visit) {
    for (NodeId n = 0; n < m_.nodes_.size(); ++n)
      for (const ValueId v : m_.inputs(n))
        if (v != kNone) visit(v, n);
  };
  std::vector<std::uint32_t> of_value(m_.values_.size(), kNone);  // its last reader
  each_input([&](ValueId v, NodeId n) {
    if (of_value[v] != n) ++start[v + 1];
    of_value[v] = n;
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  m_.consumer_.resize(start.back());
  std::copy(start.begin(), start.end() - 1, of_value.begin());  // position for its next reader
  each_input([&](ValueId v, NodeId n) {
    std::uint32_t& next = of_value[v];
    if (next == start[v] || m_.consumer_[next - 1] != n) m_.consumer_[next++] = n;
  });
}

}  // namespace ridge::graph
