// SPDX-License-Identifier: Apache-2.0
// Immutable model in dense ids, used by all layers above.
//
//   Result<graph::Model> m = graph::Model::build(std::make_shared<onnx::Document>(std::move(doc)));
//   for (const graph::Node& n : m->nodes()) …
//
// Nodes and values are dense integers; names are only labels (real models have empty and repeated
// names). NodeId is the `index` in every report: the main graph in file order, then depth-first
// through the bodies of its nodes in attribute order, then function bodies per call site (each call
// is expanded into its own body, within a budget). Names are resolved by scope once, here; the
// layers above use ids.
//
// Ownership: shares the Document, whose arena owns all names and attributes. Thread safety:
// immutable. Cost: O(nodes + values); weights are not accessed. Errors (input class): undefined
// input, two producers of one value, a cycle, a recursive function, budget exceeded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "onnx/document.h"

namespace ridge::graph {

using NodeId = std::uint32_t;
using ValueId = std::uint32_t;
using GraphId = std::uint32_t;
using ModuleId = std::uint32_t;
using KindId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

enum class ValueKind : std::uint8_t {
  kInput,     ///< input of a graph or body
  kConstant,  ///< initializer that is not the default of a graph input
  kNodeOutput,
};

#pragma pack(push, 4)
struct Value {
  Text name;
  ValueKind kind = ValueKind::kNodeOutput;
  bool graph_output = false;  ///< output of its own graph
  GraphId graph = 0;
  NodeId producer = kNone;               ///< kNodeOutput only
  std::uint32_t output_index = 0;        ///< position among the producer's outputs
  const onnx::Tensor* tensor = nullptr;  ///< kConstant; also a graph input with a default value
  const onnx::SparseTensor* sparse = nullptr;  ///< kConstant in sparse form
  /// Type from graph inputs, outputs or value_info; may contradict inference.
  const onnx::TypeInfo* declared = nullptr;
};
#pragma pack(pop)

/// Operator identity shared by many nodes. A graph has few kinds, so properties of an operator
/// should be looked up once per kind.
struct NodeKind {
  std::string_view domain, op_type;
  std::int32_t opset = 0;  ///< version of the domain in use; 0 = not imported
};

/// View of one node, assembled from the tables of its Model on access.
struct Node {
  std::string_view name, op_type, domain;
  std::span<const ValueId> inputs;   ///< kNone = omitted optional input
  std::span<const ValueId> outputs;  ///< kNone = omitted optional output
  /// Inside a function: references are already replaced by the caller's attributes.
  std::span<const onnx::Attribute> attributes;
  /// Bodies of If, Loop, Scan in attribute order; of a function call, its expanded body.
  std::span<const GraphId> bodies;
  const onnx::Node* source = nullptr;
  GraphId graph = 0;
  NodeId parent = kNone;  ///< node whose body contains this one
  ModuleId module = 0;
  KindId kind = 0;
  std::int32_t opset = 0;  ///< same as in its kind
};

/// Main graph (id 0) or a body.
struct Graph {
  std::string_view name;
  NodeId owner = kNone;        ///< the If, Loop, Scan or call; kNone for the main graph
  NodeId first = 0, last = 0;  ///< its nodes have the ids [first, last)
  /// Its nodes in topological order (file order if the file is sorted).
  std::span<const NodeId> order;
  std::span<const ValueId> inputs, outputs;
  bool sorted = true;  ///< false: the file's order was not topological
};

/// Element of the module tree, which stems from scoped node names, exporter metadata or function
/// calls. Id 0 is the root "".
struct Module {
  std::string_view path;  ///< "layer1/layer1.0/conv1", '/'-separated
  ModuleId parent = kNone;
  std::uint32_t depth = 0;
};

struct BuildLimits {
  std::int64_t nodes = 20'000'000;    ///< after function expansion
  std::int64_t expanded = 1'000'000;  ///< part of `nodes`: nodes of expanded function bodies
  int call_depth = 64;
  /// Nesting of bodies and calls: traversals are recursive. Real models have fewer than ten levels.
  int depth = 256;
};

class Model;

/// Nodes of a model in the order of their ids.
class NodeRange {
 public:
  class Iterator {
   public:
    using value_type = Node;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Model& model, NodeId at) : model_(&model), at_(at) {}
    Node operator*() const;
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {*model_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Model* model_ = nullptr;
    NodeId at_ = 0;
  };

  NodeRange(const Model& model, std::size_t size) : model_(&model), size_(size) {}
  Iterator begin() const { return {*model_, 0}; }
  Iterator end() const { return {*model_, static_cast<NodeId>(size_)}; }
  Node operator[](std::size_t i) const { return *Iterator(*model_, static_cast<NodeId>(i)); }
  std::size_t size() const { return size_; }

 private:
  const Model* model_;
  std::size_t size_;
};

class Model {
 public:
  static Result<Model> build(std::shared_ptr<const onnx::Document> document,
                             const BuildLimits& limits = {});

  NodeRange nodes() const { return {*this, nodes_.size()}; }
  std::span<const Value> values() const { return values_; }
  std::span<const Graph> graphs() const { return graphs_; }
  std::span<const Module> modules() const { return modules_; }
  /// Distinct kinds: no two have equal domain, name and version.
  std::span<const NodeKind> kinds() const { return kinds_; }
  Node node(NodeId id) const;
  /// Parts of a node, for passes that need nothing else.
  std::span<const ValueId> inputs(NodeId id) const {
    return {ids_.data() + nodes_[id].inputs, nodes_[id].source->inputs.size()};
  }
  std::span<const ValueId> outputs(NodeId id) const {
    return {ids_.data() + nodes_[id].outputs, nodes_[id].source->outputs.size()};
  }
  std::span<const GraphId> bodies(NodeId id) const {
    const std::uint32_t extra = nodes_[id].extra;
    return extra == kNone ? std::span<const GraphId>() : extras_[extra].bodies;
  }
  GraphId graph_of(NodeId id) const { return nodes_[id].graph; }
  ModuleId module_of(NodeId id) const { return nodes_[id].module; }
  KindId kind_of(NodeId id) const { return nodes_[id].kind; }
  const NodeKind& kind(NodeId id) const { return kinds_[nodes_[id].kind]; }
  const Value& value(ValueId id) const { return values_[id]; }
  const Graph& main() const { return graphs_[0]; }

  /// Nodes that read a value, each once, ascending; a captured value has its readers inside bodies.
  std::span<const NodeId> consumers(ValueId id) const;

  const onnx::Document& document() const { return *document_; }
  std::shared_ptr<const onnx::Document> shared_document() const { return document_; }

  /// Text such as "node #17 'Conv_12'" for messages.
  std::string describe(NodeId id) const;

 private:
  friend class Builder;
  /// Data of a Node that its source lacks; the bulk of the memory of a large graph.
  struct NodeRow {
    const onnx::Node* source = nullptr;
    std::uint32_t inputs = 0, outputs = 0;  ///< index of the first one in ids_
    GraphId graph = 0;
    ModuleId module = 0;
    KindId kind = 0;
    std::uint32_t extra = kNone;  ///< index into extras_
  };
  struct NodeExtra {
    std::span<const onnx::Attribute> attributes;
    std::span<const GraphId> bodies;
  };

  Model() = default;
  std::shared_ptr<const onnx::Document> document_;
  std::shared_ptr<Arena> arena_;
  std::vector<NodeRow> nodes_;
  std::vector<NodeKind> kinds_;
  std::vector<NodeExtra> extras_;
  std::vector<ValueId> ids_;
  std::vector<Value> values_;
  std::vector<Graph> graphs_;
  std::vector<Module> modules_;
  std::vector<std::uint32_t> consumer_start_;
  std::vector<NodeId> consumer_;
};

inline Node Model::node(NodeId id) const {
  const NodeRow& row = nodes_[id];
  const NodeKind& kind = kinds_[row.kind];
  const onnx::Node& source = *row.source;
  Node node{.name = source.name,
            .op_type = kind.op_type,
            .domain = kind.domain,
            .inputs = inputs(id),
            .outputs = outputs(id),
            .attributes = source.attributes,
            .source = &source,
            .graph = row.graph,
            .parent = graphs_[row.graph].owner,
            .module = row.module,
            .kind = row.kind,
            .opset = kind.opset};
  if (row.extra != kNone) {
    node.attributes = extras_[row.extra].attributes;
    node.bodies = extras_[row.extra].bodies;
  }
  return node;
}

inline Node NodeRange::Iterator::operator*() const { return model_->node(at_); }

/// Returns the attribute with that name, or nullptr.
const onnx::Attribute* attribute(const Node& node, std::string_view name);

/// Hash of the computation, independent of names and of the order in which constants are stored:
/// operators, attributes, edges, shapes and types of inputs and constants. A weight contributes its
/// type, shape and sharing, but neither its elements nor its location, so that a network matches
/// its retrained copy and its zoo recipe. Integers, and floating-point constants of at most 8
/// elements, contribute their elements, since they may determine the computation (shapes, axes,
/// scales, bounds). 32 hex digits.
std::string structure_hash(const Model& model);

}  // namespace ridge::graph
