// SPDX-License-Identifier: Apache-2.0
#include "rewrite/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace ridge::rewrite {
namespace {

/// A document together with the one that it refers to.
struct Derived {
  onnx::Document document;
  std::shared_ptr<const onnx::Document> original;
};

std::shared_ptr<onnx::Document> derived_from(std::shared_ptr<const onnx::Document> original) {
  auto derived = std::make_shared<Derived>();
  derived->document.file = original->file;
  derived->document.path = original->path;
  derived->document.model = original->model;
  derived->original = std::move(original);
  return {derived, &derived->document};
}

/// Adds the names that the bodies of a node read, wherever these are defined.
void add_names_read(const onnx::Graph& graph, std::set<std::string_view>& names);

void add_names_read(const onnx::Node& node, std::set<std::string_view>& names) {
  for (const Text& input : node.inputs) names.insert(input);
  for (const onnx::Attribute& a : node.attributes) {
    if (a.g != nullptr) add_names_read(*a.g, names);
    for (const onnx::Graph& g : a.graphs) add_names_read(g, names);
  }
}

void add_names_read(const onnx::Graph& graph, std::set<std::string_view>& names) {
  for (const onnx::Node& node : graph.nodes) add_names_read(node, names);
  for (const onnx::ValueInfo& output : graph.outputs) names.insert(output.name);
}

onnx::Attribute attribute_of(std::string_view name, onnx::AttributeType type) {
  onnx::Attribute out;
  out.name = name;
  out.type = type;
  return out;
}

}  // namespace

onnx::Attribute int_attribute(std::string_view name, std::int64_t value) {
  onnx::Attribute out = attribute_of(name, onnx::AttributeType::kInt);
  out.i = value;
  return out;
}

onnx::Attribute float_attribute(std::string_view name, float value) {
  onnx::Attribute out = attribute_of(name, onnx::AttributeType::kFloat);
  out.f = value;
  return out;
}

onnx::Attribute ints_attribute(std::string_view name, std::span<const std::int64_t> values) {
  onnx::Attribute out = attribute_of(name, onnx::AttributeType::kInts);
  out.ints = values;
  return out;
}

Draft::Draft(std::shared_ptr<const graph::Model> model)
    : model_(std::move(model)), document_(derived_from(model_->shared_document())) {
  const auto nodes = document_->model.graph.nodes;
  nodes_.reserve(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    nodes_.push_back({nodes[n], {static_cast<graph::NodeId>(n)}});
}

Draft::Row Draft::row_of(const NewNode& node, std::vector<graph::NodeId> stands_for) {
  Arena& arena = document_->arena;
  const auto texts = [&](const std::vector<std::string_view>& from) {
    const std::span<Text> out = arena.array<Text>(from.size());
    std::ranges::transform(from, out.begin(),
                           [&](std::string_view text) { return Text(arena.copy(text)); });
    return out;
  };
  onnx::Node to;
  to.name = fresh(node.op_type);
  to.op_type = arena.copy(node.op_type);
  to.domain = arena.copy(node.domain);
  to.inputs = texts(node.inputs);
  to.outputs = texts(node.outputs);
  std::vector<onnx::Attribute> attributes = node.attributes;
  for (onnx::Attribute& a : attributes) {
    a.name = arena.copy(a.name);
    a.ints = arena.copy(a.ints);
  }
  to.attributes = arena.copy(attributes);
  std::ranges::sort(stands_for);
  return {to, std::move(stands_for)};
}

void Draft::add(graph::NodeId n, const NewNode& node, std::vector<graph::NodeId> stands_for) {
  added_[n].push_back(row_of(node, std::move(stands_for)));
}

void Draft::add_before(graph::NodeId n, const NewNode& node,
                       std::vector<graph::NodeId> stands_for) {
  in_front_[n].push_back(row_of(node, std::move(stands_for)));
}

void Draft::set_input(graph::NodeId n, std::size_t at, std::string_view name) {
  onnx::Node& node = nodes_[n].node;
  // Inputs in between stay "", which ONNX reads as omitted: input 2 of a node with one input makes
  // (x, "", name).
  const std::span<Text> inputs =
      document_->arena.array<Text>(std::max(at + 1, std::size_t{node.inputs.size()}));
  std::ranges::copy(node.inputs, inputs.begin());
  inputs[at] = Text(document_->arena.copy(name));
  node.inputs = inputs;
}

void Draft::set_output(graph::NodeId n, std::size_t at, std::string_view name) {
  onnx::Node& node = nodes_[n].node;
  const std::span<Text> outputs = document_->arena.array<Text>(node.outputs.size());
  std::ranges::copy(node.outputs, outputs.begin());
  outputs[at] = Text(document_->arena.copy(name));
  node.outputs = outputs;
}

void Draft::drop_attributes(graph::NodeId n, std::span<const std::string_view> names) {
  std::vector<onnx::Attribute> left;
  for (const onnx::Attribute& a : nodes_[n].node.attributes)
    if (std::ranges::find(names, a.name) == names.end()) left.push_back(a);
  nodes_[n].node.attributes = document_->arena.copy(left);
}

void Draft::absorb(graph::NodeId n, graph::NodeId other) {
  remove(other);
  std::vector<graph::NodeId>& nodes = nodes_[n].stands_for;
  nodes.insert(nodes.end(), nodes_[other].stands_for.begin(), nodes_[other].stands_for.end());
  std::ranges::sort(nodes);
}

void Draft::add_output(graph::ValueId v, onnx::DataType type) {
  onnx::ValueInfo info;
  info.name = name(v);
  info.type.kind = onnx::TypeKind::kTensor;
  info.type.elem_type = type;
  added_outputs_.push_back(info);
}

/// Follows redirections: of a chain of pairs that undo each other, each is redirected to a value
/// that is redirected too.
std::span<const Text> Draft::redirected(std::span<const Text> inputs) const {
  const std::span<Text> out = document_->arena.array<Text>(inputs.size());
  std::ranges::transform(inputs, out.begin(), [&](const Text& input) {
    std::string_view name = input;
    for (auto to = instead_.find(name); to != instead_.end(); to = instead_.find(name))
      name = to->second;
    return Text(name);
  });
  return out;
}

std::string_view Draft::constant(onnx::DataType type, std::span<const std::int64_t> dims,
                                 std::span<const std::byte> elements) {
  for (const onnx::Tensor& t : added_constants_)
    if (t.type == type && std::ranges::equal(t.dims, dims) && std::ranges::equal(t.bytes, elements))
      return t.name;
  onnx::Tensor t;
  t.name = fresh("constant");
  t.type = type;
  t.storage = elements.empty() ? onnx::Storage::kNone : onnx::Storage::kInline;
  t.dims = document_->arena.copy(dims);
  t.elements = std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies());
  t.bytes = document_->arena.copy(elements);
  return added_constants_.emplace_back(t).name;
}

std::string_view Draft::integers(std::span<const std::int64_t> elements) {
  const std::int64_t count = std::ssize(elements);
  return constant(onnx::DataType::kInt64, {&count, 1}, std::as_bytes(elements));
}

void Draft::import(std::string_view domain, std::int64_t version) {
  const auto has = [&](const onnx::OperatorSet& set) { return set.domain == domain; };
  const std::span<const onnx::OperatorSet> before = document_->model.opsets;
  if (std::ranges::none_of(before, has) && std::ranges::none_of(imports_, has))
    imports_.push_back({document_->arena.copy(domain), version});
}

std::vector<onnx::Dimension>& Draft::declared_shape(graph::ValueId v) {
  const auto [found, added] = shapes_.try_emplace(name(v));
  const onnx::TypeInfo* const declared = model_->value(v).declared;
  if (added && declared != nullptr)
    found->second.assign(declared->shape.begin(), declared->shape.end());
  return found->second;
}

std::span<const onnx::ValueInfo> Draft::reshaped(std::vector<onnx::ValueInfo> infos) const {
  Arena& arena = document_->arena;
  for (onnx::ValueInfo& info : infos) {
    const auto found = shapes_.find(info.name);
    if (found == shapes_.end() || !info.type.has_shape) continue;
    std::vector<onnx::Dimension> shape = found->second;
    for (onnx::Dimension& d : shape) d.param = arena.copy(d.param);
    info.type.shape = arena.copy(shape);
  }
  return arena.copy(infos);
}

std::string_view Draft::fresh(std::string_view stem) {
  if (names_.empty()) {
    for (const graph::Value& v : model_->values()) names_.insert(v.name);
    for (const graph::Node& n : model_->nodes()) names_.insert(n.name);
  }
  for (std::size_t& i = next_[std::string(stem)];; ++i) {
    const std::string name = fmt::format("ridge.{}.{}", stem, i);
    if (names_.contains(name)) continue;
    return *names_.insert(document_->arena.copy(name)).first;
  }
}

Rewritten Draft::finish() && {
  const onnx::Graph& before = model_->document().model.graph;
  std::vector<onnx::ValueInfo> inputs, outputs;
  for (const onnx::ValueInfo& input : before.inputs)
    if (!constants_.contains(input.name)) inputs.push_back(input);
  for (const onnx::ValueInfo& output : before.outputs)
    if (!dropped_.contains(output.name)) outputs.push_back(output);

  outputs.insert(outputs.end(), added_outputs_.begin(), added_outputs_.end());

  std::vector<Row> rows;
  const auto take = [&](auto& from, graph::NodeId n) {
    if (const auto found = from.find(n); found != from.end())
      for (Row& row : found->second) rows.push_back(std::move(row));
  };
  for (graph::NodeId n = 0; n < nodes_.size(); ++n) {
    take(in_front_, n);
    if (!nodes_[n].removed) rows.push_back(std::move(nodes_[n]));
    take(added_, n);
  }
  if (!instead_.empty())
    for (Row& row : rows) row.node.inputs = redirected(row.node.inputs);
  remove_dead(rows, outputs);

  std::set<std::string_view> read;
  std::vector<onnx::Node> nodes;
  Rewritten out;
  for (Row& row : rows) {
    nodes.push_back(row.node);
    add_names_read(row.node, read);
    out.stands_for.push_back(std::move(row.stands_for));
  }
  for (const onnx::ValueInfo& output : outputs) read.insert(output.name);
  for (const onnx::ValueInfo& input : inputs) read.insert(input.name);
  std::vector<onnx::Tensor> tensors = added_constants_;
  tensors.insert(tensors.end(), before.initializers.begin(), before.initializers.end());
  // Tensors that only the removed nodes read go; what nothing ever read may be annotations.
  std::set<std::string_view> read_before;
  for (const onnx::Node& node : before.nodes) add_names_read(node, read_before);
  for (const onnx::Tensor& t : added_constants_) read_before.insert(t.name);
  std::erase_if(tensors, [&](const onnx::Tensor& t) {
    return read_before.contains(t.name) && !read.contains(t.name);
  });

  Arena& arena = document_->arena;
  onnx::Graph& graph = document_->model.graph;
  graph.nodes = arena.copy(nodes);
  graph.initializers = arena.copy(tensors);
  graph.inputs = reshaped(std::move(inputs));
  graph.outputs = reshaped(std::move(outputs));
  if (!shapes_.empty())
    graph.value_info = reshaped({before.value_info.begin(), before.value_info.end()});
  if (!imports_.empty()) {
    std::vector<onnx::OperatorSet> opsets(document_->model.opsets.begin(),
                                          document_->model.opsets.end());
    opsets.insert(opsets.end(), imports_.begin(), imports_.end());
    document_->model.opsets = arena.copy(opsets);
  }
  // An initializer that is no input is a constant only from this version on.
  if (!constants_.empty())
    document_->model.ir_version = std::max<std::int64_t>(document_->model.ir_version, 4);
  out.document = document_;
  return out;
}

/// From the last node to the first, so that each is seen after its readers. The nodes of the model
/// may be in any order, but edits only leave dead what precedes them.
void Draft::remove_dead(std::vector<Row>& rows, const std::vector<onnx::ValueInfo>& outputs) const {
  if (added_.empty() && in_front_.empty() && dropped_.empty() && instead_.empty()) return;
  std::set<std::string_view> read;
  for (const onnx::ValueInfo& output : outputs) read.insert(output.name);
  if (!model_->main().sorted)
    for (const Row& row : rows) add_names_read(row.node, read);
  for (std::size_t i = rows.size(); i-- > 0;) {
    Row& row = rows[i];
    row.removed = std::ranges::none_of(
        row.node.outputs, [&](const Text& name) { return !name.empty() && read.contains(name); });
    if (!row.removed) add_names_read(row.node, read);
  }
  std::erase_if(rows, [](const Row& row) { return row.removed; });
}

}  // namespace ridge::rewrite
