// The model as everything above sees it: immutable, in dense ids.
//
//   Result<graph::Model> m = graph::Model::build(std::make_shared<onnx::Document>(std::move(doc)));
//   for (const graph::Node& n : m->nodes()) …
//
// Nodes and values are dense integers; names are labels only (real models have empty and repeated
// names). NodeId is the `index` that every output carries: the main graph in file order, then
// depth-first through the bodies of its nodes in attribute order, then function bodies per call
// site (a call is expanded into a body of its own, under a budget). Names are looked up by scope
// once, here; nothing above resolves names.
//
// Ownership: shares the Document, whose arena holds all names and attributes. Thread rule:
// immutable, read freely. Cost: O(nodes + values); no weights are touched. Errors (input class):
// undefined input, two producers of one value, a cycle, a recursive function, budget exceeded.
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
  kInput,     ///< a graph or body input
  kConstant,  ///< an initializer (that no graph input overrides)
  kNodeOutput,
};

#pragma pack(push, 4)
struct Value {
  Text name;
  ValueKind kind = ValueKind::kNodeOutput;
  bool graph_output = false;  ///< of its own graph
  GraphId graph = 0;
  NodeId producer = kNone;               ///< kNodeOutput only
  std::uint32_t output_index = 0;        ///< which output of the producer
  const onnx::Tensor* tensor = nullptr;  ///< kConstant; also a graph input with a default value
  const onnx::SparseTensor* sparse = nullptr;  ///< kConstant given as sparse
  /// From graph inputs, outputs, value_info; may contradict inference.
  const onnx::TypeInfo* declared = nullptr;
};
#pragma pack(pop)

/// What nodes of one operator share. A graph of many nodes has few of them, so what depends on the
/// operator alone is best looked up once for each.
struct NodeKind {
  std::string_view domain, op_type;
  std::int32_t opset = 0;  ///< version of the domain in force; 0 = not imported
};

/// One node, put together from the tables of its Model when asked for.
struct Node {
  std::string_view name, op_type, domain;
  std::span<const ValueId> inputs;   ///< kNone = optional input not given
  std::span<const ValueId> outputs;  ///< kNone = optional output not wanted
  std::span<const onnx::Attribute>
      attributes;  ///< inside a function: references already replaced by the caller's
  std::span<const GraphId>
      bodies;  ///< of If, Loop, Scan in attribute order; of a function call its expanded body
  const onnx::Node* source = nullptr;
  GraphId graph = 0;
  NodeId parent = kNone;  ///< the node whose body this one is in
  ModuleId module = 0;
  KindId kind = 0;
  std::int32_t opset = 0;  ///< as that of its kind
};

/// The main graph (id 0) or a body.
struct Graph {
  std::string_view name;
  NodeId owner = kNone;        ///< the If, Loop, Scan or call; kNone for the main graph
  NodeId first = 0, last = 0;  ///< its nodes are ids [first, last)
  std::span<const NodeId>
      order;  ///< the same nodes in topological order (equals file order where the file is sorted)
  std::span<const ValueId> inputs, outputs;
  bool sorted = true;  ///< false: the file's order was not topological
};

/// One element of the module tree, from scoped node names, exporter metadata or function calls. Id
/// 0 is the root "".
struct Module {
  std::string_view path;  ///< "layer1/layer1.0/conv1", '/'-separated
  ModuleId parent = kNone;
  std::uint32_t depth = 0;
};

struct BuildLimits {
  std::int64_t nodes = 20'000'000;    ///< after function expansion
  std::int64_t expanded = 1'000'000;  ///< of those, nodes of expanded function bodies
  int call_depth = 64;
  /// Of bodies and calls around one another: what walks them recurses. Real models have fewer
  /// than ten.
  int depth = 256;
};

class Model;

/// The nodes of a model in the order of their ids.
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
  /// No two of one domain, name and version.
  std::span<const NodeKind> kinds() const { return kinds_; }
  Node node(NodeId id) const;
  /// Parts of a node, for passes over all nodes that need nothing else.
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

  /// Nodes that read a value, each once, ascending; captures from bodies included.
  std::span<const NodeId> consumers(ValueId id) const;

  const onnx::Document& document() const { return *document_; }
  std::shared_ptr<const onnx::Document> shared_document() const { return document_; }

  /// "node #17 'Conv_12'" for messages.
  std::string describe(NodeId id) const;

 private:
  friend class Builder;
  /// What a Node has that its source has not. A graph of 200,000 nodes is mostly these.
  struct NodeRow {
    const onnx::Node* source = nullptr;
    std::uint32_t inputs = 0, outputs = 0;  ///< the first of them in ids_
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

/// Attribute of that name, or nullptr.
const onnx::Attribute* attribute(const Node& node, std::string_view name);

/// Hash of what the model computes, independent of names and of the order in which constants are
/// stored: operators, attributes, wiring, shapes and types of inputs and constants. Of a weight its
/// type, shape and who shares it count, neither its elements nor where it lies, so that a network
/// agrees with its retrained copy and with its own recipe; integers, and floating constants of at
/// most 8 elements, count by element, as they may steer (shapes, axes, scales, bounds). 32 hex
/// digits.
std::string structure_hash(const Model& model);

}  // namespace ridge::graph
