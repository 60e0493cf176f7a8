// SPDX-License-Identifier: Apache-2.0
#include "analysis/weights.h"

#include <algorithm>
#include <array>

#include "analysis/bodies.h"

namespace ridge::analysis {
namespace {

bool is_one_of(const graph::NodeKind& node, std::span<const std::string_view> names) {
  return node.domain.empty() && std::find(names.begin(), names.end(), node.op_type) != names.end();
}

/// Operators with a random result.
bool random(const graph::NodeKind& node) {
  constexpr std::array<std::string_view, 6> kRandom = {"RandomNormal",  "RandomNormalLike",
                                                       "RandomUniform", "RandomUniformLike",
                                                       "Bernoulli",     "Multinomial"};
  return is_one_of(node, kRandom);
}

/// Index of the int32 bias among the inputs; 0 if the operator has none.
std::size_t quantized_bias(const graph::NodeKind& node) {
  const bool own = node.domain == "com.microsoft";
  if (node.op_type == "QLinearConv" && (own || node.domain.empty())) return 8;
  return own && node.op_type == "QGemm" ? 6 : 0;
}

/// True if the node's output counts as a tensor of the file, not as computed.
bool makes_tensor(const graph::NodeKind& node) {
  constexpr std::array<std::string_view, 2> kSources = {"Constant", "ConstantOfShape"};
  return is_one_of(node, kSources);
}

class Tracer {
 public:
  Tracer(const graph::Model& model, const std::vector<ops::Type>& types)
      : model_(model), types_(types) {
    const std::size_t n = model.values().size();
    out_.constant.resize(n);
    out_.weight.resize(n);
    out_.root.resize(n, graph::kNone);
    for (graph::ValueId v = 0; v < n; ++v) {
      const graph::Value& value = model.value(v);
      if (value.tensor != nullptr || value.sparse != nullptr) add_root(v);
    }
  }

  Provenance run() {
    trace_graph(0);
    return std::move(out_);
  }

 private:
  void add_root(graph::ValueId v) {
    out_.constant[v] = true;
    out_.root[v] = v;
    out_.weight[v] = eligible(v);
  }

  bool several(graph::ValueId v) const {
    std::int64_t elements = 1;
    for (const ops::Dim& d : types_[v].shape.span()) {
      if (!d.known() || d.value() == 0) return false;
      elements = std::max(elements, d.value());  // avoids overflow: any axis > 1 suffices
    }
    return types_[v].shape.ranked() && elements > 1;
  }

  bool eligible(graph::ValueId v) const {
    const onnx::DataTypeInfo* row = onnx::info(types_[v].dtype);
    return row != nullptr && (row->floating || row->quantized) && several(v);
  }

  void trace_graph(graph::GraphId g) {
    const auto constant = [&](graph::ValueId v) { return v == graph::kNone || out_.constant[v]; };
    for (const graph::NodeId n : model_.graphs()[g].order) {
      if (!model_.bodies(n).empty())
        trace_bodies(model_.node(n));
      else if (std::ranges::all_of(model_.inputs(n), constant))
        trace_constant(n);
      else
        trace_bias(n);
    }
  }

  /// Marks the int32 bias of a quantized convolution or product as a weight.
  void trace_bias(graph::NodeId n) {
    const std::size_t at = quantized_bias(model_.kind(n));
    const auto inputs = model_.inputs(n);
    if (at == 0 || at >= inputs.size() || inputs[at] == graph::kNone) return;
    mark_bias(inputs[at]);
  }

  void mark_bias(graph::ValueId v) {
    if (out_.root[v] == graph::kNone || types_[v].dtype != onnx::DataType::kInt32 || !several(v))
      return;
    out_.weight[v] = out_.weight[out_.root[v]] = true;
  }

  /// Handles a node whose inputs are all constant.
  void trace_constant(graph::NodeId n) {
    const graph::NodeKind& kind = model_.kind(n);
    if (random(kind)) return;
    const graph::Node& node = model_.node(n);
    for (const graph::ValueId v : node.outputs)
      if (v != graph::kNone) out_.constant[v] = true;
    if (node.outputs.empty() || node.outputs[0] == graph::kNone) return;
    if (makes_tensor(kind)) return add_root(node.outputs[0]);
    if (passes_weight(kind) && !node.inputs.empty() && node.inputs[0] != graph::kNone)
      hand_on(node);
  }

  void hand_on(const graph::Node& node) {
    const graph::ValueId in = node.inputs[0];
    if (node.op_type == "DequantizeLinear") mark_bias(in);
    out_.root[node.outputs[0]] = out_.root[in];
    out_.weight[node.outputs[0]] = out_.weight[in];
  }

  void trace_bodies(const graph::Node& node) {
    const bool call = bodies_of(node) == Bodies::kCall;
    for (const graph::GraphId g : node.bodies) {
      const graph::Graph& body = model_.graphs()[g];
      for (std::size_t i = 0; call && i < body.inputs.size() && i < node.inputs.size(); ++i)
        copy(node.inputs[i], body.inputs[i]);
      trace_graph(g);
      for (std::size_t i = 0; call && i < body.outputs.size() && i < node.outputs.size(); ++i)
        copy(body.outputs[i], node.outputs[i]);
    }
  }

  void copy(graph::ValueId from, graph::ValueId to) {
    if (from == graph::kNone || to == graph::kNone) return;
    out_.constant[to] = out_.constant[from];
    out_.weight[to] = out_.weight[from];
    out_.root[to] = out_.root[from];
  }

  const graph::Model& model_;
  const std::vector<ops::Type>& types_;
  Provenance out_;
};

}  // namespace

bool passes_weight(const graph::NodeKind& node) {
  constexpr std::array<std::string_view, 5> kPassing = {"Identity", "Reshape", "Transpose", "Cast",
                                                        "DequantizeLinear"};
  return is_one_of(node, kPassing);
}

Provenance trace_weights(const graph::Model& model, const std::vector<ops::Type>& types) {
  return Tracer(model, types).run();
}

}  // namespace ridge::analysis
