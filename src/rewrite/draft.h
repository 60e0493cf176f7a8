// A model while it is edited: the nodes, constants, inputs and outputs of its main graph as lists
// that can change, each node with the nodes of the model that it stands for.
//
//   Draft draft(model);
//   draft.remove(div);
//   draft.add(div, {.op_type = "Sigmoid", .inputs = {draft.name(x)}, .outputs = {y}}, {exp, div});
//   const Rewritten r = std::move(draft).finish();
//
// Bodies of control flow and functions stay as they are, but may read what the main graph produces:
// an edit must keep every name that they read. Weights are referred to, never copied.
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

class Draft {
 public:
  /// Node to add. Texts may be temporary.
  struct NewNode {
    std::string_view op_type;
    std::vector<std::string_view> inputs, outputs;
    std::vector<onnx::Attribute> attributes = {};
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

  /// Adds a float32 scalar; constants of equal value are one.
  std::string_view scalar(float value);
  /// Removes an input of the graph that has a default value, which then is a constant.
  void make_constant(graph::ValueId input) { constants_.insert(name(input)); }
  void drop_output(graph::ValueId output) { dropped_.insert(name(output)); }

  /// A name that the model does not have, which begins with `stem`.
  std::string_view fresh(std::string_view stem);

  /// Nodes whose results nothing reads any more are left out, and so are their constants.
  Rewritten finish() &&;

 private:
  struct Row {
    onnx::Node node;
    std::vector<graph::NodeId> stands_for;
    bool removed = false;
  };
  std::span<const Text> redirected(std::span<const Text> inputs) const;
  void remove_dead(std::vector<Row>& rows, const std::vector<onnx::ValueInfo>& outputs) const;

  std::shared_ptr<const graph::Model> model_;
  std::shared_ptr<onnx::Document> document_;
  std::vector<Row> nodes_;                                     // by node of the main graph
  std::unordered_map<graph::NodeId, std::vector<Row>> added_;  // by the node at whose place
  std::vector<onnx::Tensor> scalars_;
  std::unordered_map<std::string_view, std::string_view> instead_;
  std::set<std::string_view> constants_, dropped_;
  std::set<std::string_view> names_;  // of all graphs; filled on first use
};

}  // namespace ridge::rewrite
