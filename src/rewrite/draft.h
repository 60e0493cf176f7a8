// SPDX-License-Identifier: Apache-2.0
// A model while it is edited: the nodes, constants, inputs and outputs of its main graph as lists
// that can change, each node with the nodes of the model that it stands for.
//
//   Draft draft(model);
//   draft.remove(div);
//   draft.add(div, {.op_type = "Sigmoid", .inputs = {draft.name(x)}, .outputs = {y}}, {exp, div});
//   const Rewritten r = std::move(draft).finish();
//
// Bodies of control flow and functions stay as they are, but may read what the main graph produces:
// an edit must keep every name that they read. Weights that stay as they are are referred to, not
// copied.
//
// Ownership: shares the model; the result keeps the model's document alive. Thread rule: one
// thread. Cost: O(nodes + constants) to make and to finish.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/model.h"
#include "onnx/document.h"

namespace ridge::rewrite {

/// A model after an edit.
struct Rewritten {
  std::shared_ptr<const onnx::Document> document;
  /// By node of its main graph, in file order: nodes of the model that it stands for, ascending.
  std::vector<std::vector<graph::NodeId>> stands_for;
};

onnx::Attribute int_attribute(std::string_view name, std::int64_t value);
onnx::Attribute float_attribute(std::string_view name, float value);
onnx::Attribute ints_attribute(std::string_view name, std::span<const std::int64_t> values);

class Draft {
 public:
  /// Node to add. Texts and lists of integers may be temporary.
  struct NewNode {
    std::string_view op_type;
    std::vector<std::string_view> inputs, outputs;
    std::vector<onnx::Attribute> attributes = {};
    std::string_view domain = {};  ///< see import()
  };

  explicit Draft(std::shared_ptr<const graph::Model> model);

  const graph::Model& model() const { return *model_; }
  std::string_view name(graph::ValueId v) const { return model_->value(v).name; }

  /// The node as it will be written; may be changed.
  onnx::Node& node(graph::NodeId n) { return nodes_[n].node; }
  void remove(graph::NodeId n) { nodes_[n].removed = true; }
  /// Adds a node at the place of `n`, behind those added there before.
  void add(graph::NodeId n, const NewNode& node, std::vector<graph::NodeId> stands_for);
  /// Makes every node that reads `from` read `to`, or what `to` itself is redirected to. Only for
  /// values that no body reads and that are no output.
  void redirect(graph::ValueId from, graph::ValueId to) { instead_[name(from)] = name(to); }

  /// Adds a constant of packed little-endian elements, which are copied; equal constants are one.
  std::string_view constant(onnx::DataType type, std::span<const std::int64_t> dims,
                            std::span<const std::byte> elements);
  std::string_view scalar(float value) { return reals({}, {&value, 1}); }
  std::string_view reals(std::span<const std::int64_t> dims, std::span<const float> elements) {
    return constant(onnx::DataType::kFloat, dims, std::as_bytes(elements));
  }
  /// Adds a vector of int64.
  std::string_view integers(std::span<const std::int64_t> elements);
  /// Makes the operators of a domain known to the model, in this version unless it has one.
  void import(std::string_view domain, std::int64_t version);

  /// Shape of an input, output or inner value as it will be declared; may be changed. Only for
  /// values of the main graph with a declared shape.
  std::vector<onnx::Dimension>& declared_shape(graph::ValueId v);
  /// Removes an input of the graph that has a default value, which then is a constant.
  void make_constant(graph::ValueId input) { constants_.insert(name(input)); }
  void drop_output(graph::ValueId output) { dropped_.insert(name(output)); }

  /// A name that the model does not have, which begins with `stem`.
  std::string_view fresh(std::string_view stem);

  /// Nodes whose results nothing reads any more are left out, and so are their constants.
  Rewritten finish() &&;

  // Changes of a node and its surroundings that leave the rest of it as it is. Names may be
  // temporary.

  /// Adds a node in front of `n`, behind those added there before.
  void add_before(graph::NodeId n, const NewNode& node, std::vector<graph::NodeId> stands_for);
  /// Makes a node read `name` as its input `at`, which may be one that it did not have.
  void set_input(graph::NodeId n, std::size_t at, std::string_view name);
  void set_output(graph::NodeId n, std::size_t at, std::string_view name);
  /// Removes attributes, which then have their default values.
  void drop_attributes(graph::NodeId n, std::span<const std::string_view> names);
  /// Removes `other`; `n` stands for it too.
  void absorb(graph::NodeId n, graph::NodeId other);
  /// Lists a tensor of the main graph as an output, behind the others.
  void add_output(graph::ValueId v, onnx::DataType type);

 private:
  struct Row {
    onnx::Node node;
    std::vector<graph::NodeId> stands_for;
    bool removed = false;
  };
  Row row_of(const NewNode& node, std::vector<graph::NodeId> stands_for);
  std::span<const Text> redirected(std::span<const Text> inputs) const;
  std::span<const onnx::ValueInfo> reshaped(std::vector<onnx::ValueInfo> infos) const;
  void remove_dead(std::vector<Row>& rows, const std::vector<onnx::ValueInfo>& outputs) const;

  std::shared_ptr<const graph::Model> model_;
  std::shared_ptr<onnx::Document> document_;
  std::vector<Row> nodes_;                                        // by node of the main graph
  std::unordered_map<graph::NodeId, std::vector<Row>> added_;     // by the node at whose place
  std::unordered_map<graph::NodeId, std::vector<Row>> in_front_;  // by the node behind them
  std::vector<onnx::ValueInfo> added_outputs_;
  std::vector<onnx::Tensor> added_constants_;
  std::vector<onnx::OperatorSet> imports_;
  std::unordered_map<std::string_view, std::vector<onnx::Dimension>> shapes_;
  std::unordered_map<std::string_view, std::string_view> instead_;
  std::set<std::string_view> constants_, dropped_;
  std::set<std::string_view> names_;                   // of all graphs; filled on first use
  std::unordered_map<std::string, std::size_t> next_;  // by stem: least number that may be free
};

}  // namespace ridge::rewrite
