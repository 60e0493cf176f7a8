#include "rewrite/draft.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Draft::Draft(std::shared_ptr<const graph::Model> model)
    : model_(std::move(model)), document_(derived_from(model_->shared_document())) {
  const auto nodes = document_->model.graph.nodes;
  nodes_.reserve(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    nodes_.push_back({nodes[n], {static_cast<graph::NodeId>(n)}});
}

void Draft::add(graph::NodeId n, const NewNode& node, std::vector<graph::NodeId> stands_for) {
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
  to.inputs = texts(node.inputs);
  to.outputs = texts(node.outputs);
  to.attributes = arena.copy(node.attributes);
  std::ranges::sort(stands_for);
  added_[n].push_back({to, std::move(stands_for)});
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

std::string_view Draft::scalar(float value) {
  const auto bits = std::as_bytes(std::span(&value, 1));
  for (const onnx::Tensor& t : scalars_)
    if (std::ranges::equal(t.bytes, bits)) return t.name;
  onnx::Tensor t;
  t.name = fresh("constant");
  t.type = onnx::DataType::kFloat;
  t.storage = onnx::Storage::kInline;
  t.elements = 1;
  t.bytes = std::as_bytes(document_->arena.copy(std::span<const float>(&value, 1)));
  return scalars_.emplace_back(t).name;
}

std::string_view Draft::fresh(std::string_view stem) {
  if (names_.empty()) {
    for (const graph::Value& v : model_->values()) names_.insert(v.name);
    for (const graph::Node& n : model_->nodes()) names_.insert(n.name);
  }
  for (std::size_t i = 0;; ++i) {
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

  std::vector<Row> rows;
  for (graph::NodeId n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].removed) rows.push_back(std::move(nodes_[n]));
    if (const auto added = added_.find(n); added != added_.end())
      for (Row& row : added->second) rows.push_back(std::move(row));
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
  std::vector<onnx::Tensor> tensors = scalars_;
  tensors.insert(tensors.end(), before.initializers.begin(), before.initializers.end());
  std::erase_if(tensors, [&](const onnx::Tensor& t) { return !read.contains(t.name); });

  Arena& arena = document_->arena;
  onnx::Graph& graph = document_->model.graph;
  graph.nodes = arena.copy(nodes);
  graph.initializers = arena.copy(tensors);
  graph.inputs = arena.copy(inputs);
  graph.outputs = arena.copy(outputs);
  // An initializer that is no input is a constant only from this version on.
  if (!constants_.empty())
    document_->model.ir_version = std::max<std::int64_t>(document_->model.ir_version, 4);
  out.document = document_;
  return out;
}

/// From the last node to the first, so that each is seen after its readers. The nodes of the model
/// may be in any order, but edits only leave dead what precedes them.
void Draft::remove_dead(std::vector<Row>& rows, const std::vector<onnx::ValueInfo>& outputs) const {
  if (added_.empty() && dropped_.empty() && instead_.empty()) return;
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
