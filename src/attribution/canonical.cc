// SPDX-License-Identifier: Apache-2.0
#include "attribution/canonical.h"

#include <fmt/format.h>

#include <algorithm>

#include "attribution/canonical_names.h"
#include "attribution/expansion.h"
#include "attribution/names.h"
#include "attribution/weight_recipe.h"
#include "base/hash/hash.h"
#include "onnx/writer.h"

namespace ridge::attribution {
namespace {

using analysis::Resolved;

/// Returns the value of a known constant of one element.
std::optional<double> known_scalar(const Resolved& r, const graph::Node& node, std::size_t input) {
  if (input >= node.inputs.size() || node.inputs[input] == kNone) return std::nullopt;
  const ops::Value* value = r.value(node.inputs[input]);
  if (value == nullptr) return std::nullopt;
  if (value->ints.size() == 1 && value->ints[0].known())
    return static_cast<double>(value->ints[0].value());
  if (value->reals.size() == 1) return value->reals[0];
  return std::nullopt;
}

bool given(const graph::Node& node, std::size_t input) {
  return input < node.inputs.size() && node.inputs[input] != kNone;
}

/// True for a Dropout that passes its input through: in inference mode, or with ratio 0 (exporters
/// may leave training_mode true there). Its mask must be unused.
bool idle_dropout(const Resolved& r, const graph::Node& node) {
  if (node.op_type != "Dropout" || !node.domain.empty() || node.opset < 7) return false;
  if (node.outputs.size() > 1 && node.outputs[1] != kNone) {
    const graph::Value& mask = r.model().value(node.outputs[1]);
    if (mask.graph_output || !r.model().consumers(node.outputs[1]).empty()) return false;
  }
  if (node.opset < 12 || !given(node, 2)) return true;
  return known_scalar(r, node, 2) == 0.0 || (given(node, 1) && known_scalar(r, node, 1) == 0.0);
}

/// True if the elements are not embedded in the copy.
bool is_detached(const onnx::Tensor& t) {
  return t.storage == onnx::Storage::kFile || t.storage == onnx::Storage::kSeeded;
}

class Copier {
 public:
  Copier(const Resolved& resolved, const CanonicalOptions& options)
      : resolved_(resolved),
        model_(resolved.model()),
        options_(options),
        calls_(Expansion::of_calls(model_)),
        document_(std::make_shared<onnx::Document>()),
        arena_(document_->arena) {}

  Result<Canonical> run() {
    CopyNames names = name_copy(model_, calls_, arena_);
    out_.value_name = std::move(names.of);
    out_.inputs = std::move(names.inputs);
    out_.outputs = std::move(names.outputs);
    out_.identity.resize(model_.nodes().size());
    out_.seeded.resize(model_.nodes().size());
    constant_node_.resize(model_.nodes().size());
    out_.original = model_.shared_document();
    document_->file = out_.original->file;
    document_->path = out_.original->path;

    find_constants();

    onnx::Model& m = document_->model;
    m.ir_version = std::max<std::int64_t>(out_.original->model.ir_version, kLowestIr);
    m.producer_name = "ridge";
    m.opsets = opsets();
    m.graph = main_graph(names.aliases);
    for (const onnx::Tensor& t : m.graph.initializers)
      if (is_detached(t)) out_.weights.push_back({t.name, &t});
    out_.bytes = TRY(onnx::write_bytes(*document_, {.weights = onnx::Weights::kDetached}));
    out_.document = document_;
    return std::move(out_);
  }

 private:
  // From IR version 4 on an initializer need not be an input, and one that is not is a constant for
  // the runtime.
  static constexpr std::int64_t kLowestIr = 4;

  /// Collects constants that are read, by the graph of the copy that they belong to.
  void find_constants() {
    constants_.resize(model_.graphs().size());
    for (ValueId v = 0; v < model_.values().size(); ++v) {
      const graph::Value& value = model_.value(v);
      if (value.kind != graph::ValueKind::kConstant) continue;
      if (value.graph_output || !model_.consumers(v).empty())
        constants_[calls_.scope(value.graph)].push_back(v);
    }
  }

  std::span<const onnx::OperatorSet> opsets() {
    std::vector<onnx::OperatorSet> all(out_.original->model.opsets.begin(),
                                       out_.original->model.opsets.end());
    for (const onnx::Function& f : out_.original->model.functions)
      for (const onnx::OperatorSet& o : f.opsets)
        if (std::none_of(all.begin(), all.end(),
                         [&](const auto& x) { return x.domain == o.domain; }))
          all.push_back(o);
    return arena_.copy(all);
  }

  onnx::Graph main_graph(const std::vector<Alias>& aliases) {
    std::vector<onnx::Node> nodes;
    std::vector<onnx::Tensor> inline_constants;
    add_nodes(0, nodes, inline_constants);
    for (const Alias& a : aliases) nodes.push_back(identity(a));
    onnx::Graph g;
    g.name = "ridge";
    g.nodes = arena_.copy(nodes);
    g.inputs = ports(model_.main().inputs, true);
    std::vector<onnx::ValueInfo> outputs;
    for (const Port& port : out_.outputs)
      outputs.push_back({port.name, type_of(port.value, false)});
    g.outputs = arena_.copy(outputs);
    hoisted_.insert(hoisted_.end(), inline_constants.begin(), inline_constants.end());
    add_constants(0, hoisted_, sparse_);
    for (const ValueId v : model_.main().inputs)
      if (model_.value(v).tensor != nullptr)
        hoisted_.push_back(renamed(*model_.value(v).tensor, v));
    g.initializers = arena_.copy(hoisted_);
    g.sparse_initializers = arena_.copy(sparse_);
    return g;
  }

  onnx::Graph body_graph(GraphId id) {
    std::vector<onnx::Node> nodes;
    std::vector<onnx::Tensor> constants;
    add_nodes(id, nodes, constants);
    std::vector<onnx::SparseTensor> sparse;
    add_constants(id, constants, sparse);
    // A runtime accepts detached elements only for the main graph; names are unique, so a body may
    // read them from there.
    const auto detached = std::stable_partition(
        constants.begin(), constants.end(), [](const onnx::Tensor& t) { return !is_detached(t); });
    hoisted_.insert(hoisted_.end(), detached, constants.end());
    constants.erase(detached, constants.end());
    const graph::Graph& body = model_.graphs()[id];
    onnx::Graph g;
    g.name = arena_.copy(fmt::format("g{}", id));
    g.inputs = ports(body.inputs, true);
    g.outputs = body_outputs(id, nodes);
    g.nodes = arena_.copy(nodes);
    g.initializers = arena_.copy(constants);
    g.sparse_initializers = arena_.copy(sparse);
    return g;
  }

  /// Returns the outputs of a body. An output that is defined outside the body (captured, or moved
  /// to the main graph) gets a node that copies it.
  std::span<const onnx::ValueInfo> body_outputs(GraphId id, std::vector<onnx::Node>& nodes) {
    std::vector<onnx::ValueInfo> infos;
    for (const ValueId v : model_.graphs()[id].outputs) {
      std::string_view name = out_.value_name[v];
      if (!defined_in(id, calls_.origin(v))) {
        const std::string_view copy = arena_.copy(fmt::format("ridge.g{}.{}", id, infos.size()));
        nodes.push_back(identity({name, copy}));
        name = copy;
      }
      infos.push_back({name, type_of(v, false)});
    }
    return arena_.copy(infos);
  }

  bool defined_in(GraphId id, ValueId v) const {
    if (v == kNone || calls_.scope(model_.value(v).graph) != id) return false;
    const graph::Value& value = model_.value(v);
    if (value.kind == graph::ValueKind::kConstant)
      return value.tensor == nullptr || !is_detached(*value.tensor);
    return value.kind == graph::ValueKind::kInput || !constant_node_[value.producer];
  }

  void add_constants(GraphId id, std::vector<onnx::Tensor>& tensors,
                     std::vector<onnx::SparseTensor>& sparse) {
    for (const ValueId v : constants_[id]) {
      const graph::Value& value = model_.value(v);
      if (value.tensor != nullptr) tensors.push_back(renamed(*value.tensor, v));
      if (value.sparse != nullptr) {
        onnx::SparseTensor copy = *value.sparse;
        copy.values = arena_.make(renamed(*value.sparse->values, v));
        sparse.push_back(copy);
      }
    }
  }

  onnx::Tensor renamed(onnx::Tensor tensor, ValueId v) const {
    tensor.name = out_.value_name[v];
    return tensor;
  }

  /// Adds the nodes of a graph; expanded calls are replaced by the nodes of their bodies.
  void add_nodes(GraphId id, std::vector<onnx::Node>& nodes, std::vector<onnx::Tensor>& constants) {
    for (const NodeId n : model_.graphs()[id].order) {
      if (calls_.expanded(n)) {
        add_nodes(calls_.body(n), nodes, constants);
        continue;
      }
      const std::optional<onnx::Tensor> constant = constant_of(n);
      constant_node_[n] = constant.has_value();
      if (!constant)
        nodes.push_back(node(n));
      else
        (is_detached(*constant) ? hoisted_ : constants)
            .push_back(renamed(*constant, model_.node(n).outputs[0]));
    }
  }

  /// Converts a node to an initializer: Constant, and weights given as ConstantOfShape; else
  /// nullopt.
  std::optional<onnx::Tensor> constant_of(NodeId n) {
    const graph::Node& node = model_.node(n);
    if (!node.domain.empty() || node.outputs.empty() || node.outputs[0] == kNone)
      return std::nullopt;
    if (node.op_type == "Constant") return constant_tensor(node);
    if (node.op_type != "ConstantOfShape" ||
        options_.constants == CanonicalOptions::Constants::kAsIs)
      return std::nullopt;
    std::optional<onnx::Tensor> weight = seeded_weight(node.outputs[0]);
    out_.seeded[n] = weight.has_value();
    return weight;
  }

  /// Returns the tensor of a Constant; nullopt for string and sparse forms.
  std::optional<onnx::Tensor> constant_tensor(const graph::Node& node) {
    if (node.attributes.empty()) return std::nullopt;
    const onnx::Attribute& a = node.attributes[0];
    if (a.name == "value" && a.t != nullptr) return *a.t;
    if (a.name == "value_float")
      return inline_tensor(onnx::DataType::kFloat, std::span(&a.f, 1), true);
    if (a.name == "value_int")
      return inline_tensor(onnx::DataType::kInt64, std::span(&a.i, 1), true);
    if (a.name == "value_floats") return inline_tensor(onnx::DataType::kFloat, a.floats, false);
    if (a.name == "value_ints") return inline_tensor(onnx::DataType::kInt64, a.ints, false);
    return std::nullopt;
  }

  template <typename T>
  onnx::Tensor inline_tensor(onnx::DataType type, std::span<const T> elements, bool scalar) {
    onnx::Tensor tensor;
    tensor.type = type;
    tensor.elements = static_cast<std::int64_t>(elements.size());
    if (!scalar) tensor.dims = arena_.copy(std::vector<std::int64_t>{tensor.elements});
    if (elements.empty()) return tensor;
    tensor.storage = onnx::Storage::kInline;
    tensor.bytes = std::as_bytes(std::span<const T>(arena_.copy(elements)));
    return tensor;
  }

  /// By name, so that an edited copy of a model has the same weights. Names of bodies and functions
  /// may be repeated, and equal weights would be merged.
  std::uint64_t seed_of(ValueId v) const {
    const graph::Value& value = model_.value(v);
    return value.graph == 0 ? hash_name(value.name, options_.seed) : options_.seed + v;
  }

  std::optional<onnx::Tensor> seeded_weight(ValueId v) {
    const ops::Type& type = resolved_.type(v);
    const onnx::DataTypeInfo* info = onnx::info(type.dtype);
    if (!resolved_.constant(v) || !type.shape.known() || info == nullptr || !info->floating)
      return std::nullopt;
    const std::optional<SeededTensor> recipe = recipe_for(resolved_, v, seed_of(v));
    if (!recipe) return std::nullopt;
    onnx::Tensor tensor;
    tensor.type = type.dtype;
    tensor.storage = onnx::Storage::kSeeded;
    tensor.recipe = *recipe;
    tensor.elements = 1;
    std::vector<std::int64_t> dims;
    for (const ops::Dim& d : type.shape.span()) {
      dims.push_back(d.value());
      tensor.elements *= d.value();  // no overflow: the resolver checks the tensor's bytes
    }
    if (tensor.elements <= 1) return std::nullopt;
    tensor.dims = arena_.copy(dims);
    return tensor;
  }

  onnx::Node node(NodeId n) {
    const graph::Node& from = model_.node(n);
    onnx::Node to;
    to.name = arena_.copy(node_name(n));
    to.op_type = from.op_type;
    to.domain = from.domain;
    to.inputs = value_names(from.inputs);
    to.outputs = value_names(from.outputs);
    if (idle_dropout(resolved_, from)) {
      out_.identity[n] = true;
      to.op_type = "Identity";
      to.inputs = std::span(to.inputs).first(1);
      to.outputs = std::span(to.outputs).first(1);
      return to;
    }
    to.attributes = from.bodies.empty() ? from.attributes : with_bodies(from);
    return to;
  }

  std::span<const onnx::Attribute> with_bodies(const graph::Node& from) {
    std::vector<onnx::Attribute> attributes(from.attributes.begin(), from.attributes.end());
    std::size_t at = 0;
    for (onnx::Attribute& a : attributes) {
      if (a.g != nullptr) a.g = arena_.make(body_graph(from.bodies[at++]));
      std::vector<onnx::Graph> graphs;
      for (std::size_t i = 0; i < a.graphs.size(); ++i)
        graphs.push_back(body_graph(from.bodies[at++]));
      if (!graphs.empty()) a.graphs = arena_.copy(graphs);
    }
    return arena_.copy(attributes);
  }

  onnx::Node identity(const Alias& alias) {
    onnx::Node node;
    node.name = arena_.copy(fmt::format("ridge.alias.{}", alias.to));
    node.op_type = "Identity";
    node.inputs = arena_.copy(std::vector<Text>{alias.from});
    node.outputs = arena_.copy(std::vector<Text>{alias.to});
    return node;
  }

  std::span<const Text> value_names(std::span<const ValueId> values) {
    const std::span<Text> names = arena_.array<Text>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != kNone) names[i] = out_.value_name[values[i]];
    return names;
  }

  std::span<const onnx::ValueInfo> ports(std::span<const ValueId> values, bool with_shape) {
    std::vector<onnx::ValueInfo> infos;
    for (const ValueId v : values)
      if (v != kNone) infos.push_back({out_.value_name[v], type_of(v, with_shape)});
    return arena_.copy(infos);
  }

  /// Returns the resolved type; with its shape only if the runtime cannot infer it, that is for
  /// inputs of the model and of its bodies. The resolved shape of a body's input is valid for every
  /// iteration.
  onnx::TypeInfo type_of(ValueId v, bool with_shape) {
    const ops::Type& type = resolved_.type(v);
    const onnx::TypeInfo* declared = model_.value(v).declared;
    const bool as_declared = options_.sizes == CanonicalOptions::Sizes::kAsDeclared && with_shape;
    if (declared != nullptr && (type.container != ops::Container::kTensor || as_declared))
      return *declared;
    if (type.dtype == onnx::DataType::kUndefined || type.container == ops::Container::kMap)
      return declared == nullptr ? onnx::TypeInfo{} : *declared;
    switch (type.container) {
      case ops::Container::kSequence:
        return around(onnx::TypeKind::kSequence, tensor_type(type, false));
      case ops::Container::kOptional:
        return around(onnx::TypeKind::kOptional, tensor_type(type, false));
      case ops::Container::kOptionalSequence:
        return around(onnx::TypeKind::kOptional,
                      around(onnx::TypeKind::kSequence, tensor_type(type, false)));
      default:
        return tensor_type(type, with_shape);
    }
  }

  onnx::TypeInfo around(onnx::TypeKind kind, const onnx::TypeInfo& element) {
    onnx::TypeInfo info;
    info.kind = kind;
    info.element = arena_.make(element);
    return info;
  }

  onnx::TypeInfo tensor_type(const ops::Type& type, bool with_shape) {
    onnx::TypeInfo info;
    info.kind = onnx::TypeKind::kTensor;
    info.elem_type = type.dtype;
    if (!with_shape || !type.shape.ranked()) return info;
    info.has_shape = true;
    std::vector<onnx::Dimension> dims;
    for (const ops::Dim& d : type.shape.span()) dims.push_back({d.known() ? d.value() : -1, {}});
    info.shape = arena_.copy(dims);
    return info;
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  CanonicalOptions options_;
  Expansion calls_;
  std::shared_ptr<onnx::Document> document_;
  Arena& arena_;
  std::vector<std::vector<ValueId>> constants_;  // by graph
  std::vector<onnx::Tensor> hoisted_;            // initializers of the main graph
  std::vector<onnx::SparseTensor> sparse_;
  std::vector<bool> constant_node_;  // by node: true if it is an initializer in the copy
  Canonical out_;
};

}  // namespace

// Example: nodes "same: MatMul(x, w) -> a", "same: Relu(a) -> b", "Tanh(b) -> y" with values x = 0
// and w = 1 become "r0: MatMul(x, w1) -> r0.0", "r1: Relu(r0.0) -> r1.0", "r2: Tanh(r1.0) -> y". A
// call local.Twice(x) -> a (node 0) whose body is Add(t, t) -> u (node 2), followed by Relu(a) -> y
// (node 1), becomes "r2: Add(x, x) -> r2.0", "r1: Relu(r2.0) -> y".
Result<Canonical> canonicalise(const Resolved& resolved, const CanonicalOptions& options) {
  return Copier(resolved, options).run();
}

}  // namespace ridge::attribution
