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
inline constexpr std::uint32_t kNone = 0xffffffff;

enum class ValueKind : std::uint8_t {
  kInput,     ///< a graph or body input
  kConstant,  ///< an initializer (that no graph input overrides)
  kNodeOutput,
};

struct Value {
  std::string_view name;
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
  std::int32_t opset = 0;  ///< version of the node's domain in force here; 0 = not imported
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
};

class Model {
 public:
  static Result<Model> build(std::shared_ptr<const onnx::Document> document,
                             const BuildLimits& limits = {});

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Value> values() const { return values_; }
  std::span<const Graph> graphs() const { return graphs_; }
  std::span<const Module> modules() const { return modules_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
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
  Model() = default;
  std::shared_ptr<const onnx::Document> document_;
  std::shared_ptr<Arena> arena_;
  std::vector<Node> nodes_;
  std::vector<Value> values_;
  std::vector<Graph> graphs_;
  std::vector<Module> modules_;
  std::vector<std::uint32_t> consumer_start_;
  std::vector<NodeId> consumer_;
};

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
