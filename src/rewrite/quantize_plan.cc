// SPDX-License-Identifier: Apache-2.0
#include "rewrite/quantize_plan.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Part that a node takes. Operators are those with an int8 kernel in ONNX Runtime's CPU provider
/// (onnxruntime/core/optimizer/qdq_transformer/selectors_actions/).
enum class Part : std::uint8_t {
  kFloat,
  kProduct,
  kComputes,  ///< has an int8 form with numbers of its own for the result
  kBetween,   ///< a function of one element without an int8 form
  kMoves,     ///< leaves elements as they are, and so their numbers
  kPasses,    ///< is left out by runtimes
};

constexpr std::array<std::string_view, 7> kComputes = {
    "Add", "AveragePool", "Concat", "GlobalAveragePool", "LeakyRelu", "Mul", "Sigmoid"};
constexpr std::array<std::string_view, 12> kMoves = {
    "Expand", "Flatten", "Gather",  "MaxPool", "Reshape",   "Resize",
    "Slice",  "Split",   "Squeeze", "Tile",    "Transpose", "Unsqueeze"};
constexpr std::array<std::string_view, 12> kBetween = {
    "BatchNormalization", "Clip", "Elu",   "Gelu", "HardSigmoid",
    "HardSwish",          "Mish", "PRelu", "Relu", "Selu",
    "Softplus",           "Tanh"};
constexpr std::array<std::string_view, 2> kPasses = {"Dropout", "Identity"};

template <std::size_t N>
bool one_of(std::string_view op, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, op) != names.end();
}

class Planner {
 public:
  explicit Planner(const Resolved& resolved)
      : resolved_(resolved),
        model_(resolved.model()),
        fixed_(model_.values().size()),
        wanted_(fixed_.size()),
        wished_(fixed_.size()),
        int8_(fixed_.size()),
        range_of_(fixed_.size(), kNone),
        beside_(fixed_.size()) {}

  Int8Plan run() {
    const std::span<const NodeId> order = model_.main().order;
    find_fixed(order);
    products_.resize(model_.nodes().size());
    parts_.resize(model_.nodes().size(), Part::kFloat);
    for (const NodeId n : order) {
      products_[n] = product(n);
      parts_[n] = products_[n] ? Part::kProduct : part(n);
    }
    for (const NodeId n : order | std::views::reverse) mark_wanted(n);
    for (const NodeId n : order) place(n);
    return std::move(out_);
  }

 private:
  /// Constants that no caller of the model can replace.
  void find_fixed(std::span<const NodeId> order) {
    for (ValueId v = 0; v < fixed_.size(); ++v)
      fixed_[v] = model_.value(v).kind == graph::ValueKind::kConstant;
    for (const NodeId n : order) {
      const bool all =
          std::ranges::all_of(model_.inputs(n), [&](ValueId v) { return v == kNone || fixed_[v]; });
      for (const ValueId v : model_.outputs(n))
        if (v != kNone) fixed_[v] = all && resolved_.constant(v);
    }
  }

  /// A float32 tensor with elements.
  bool is_float(ValueId v) const {
    if (v == kNone) return false;
    const ops::Type& type = resolved_.type(v);
    return type.dtype == onnx::DataType::kFloat && type.container == ops::Container::kTensor &&
           type.shape.ranked() &&
           std::ranges::none_of(type.shape.span(), [](const ops::Dim& d) { return d.is(0); });
  }
  bool is_activation(ValueId v) const { return is_float(v) && !resolved_.constant(v); }
  bool is_weight(ValueId v) const {
    return is_float(v) && fixed_[v] && resolved_.type(v).shape.known();
  }

  std::optional<Int8Product> product(NodeId n) const {
    const graph::Node node = model_.node(n);
    const bool known = is(model_, n, "Conv") || is(model_, n, "Gemm") || is(model_, n, "MatMul");
    if (!known || node.inputs.size() < 2 || node.outputs.empty() ||
        !is_activation(node.inputs[0]) || !is_weight(node.inputs[1]) || !is_float(node.outputs[0]))
      return std::nullopt;
    Int8Product out{.node = n, .weight = node.inputs[1]};
    const std::int32_t rank = resolved_.type(out.weight).shape.rank;
    if (node.op_type == "Conv")
      out.channel_axis = 0;
    else if (node.op_type == "Gemm")
      out.channel_axis = integer(node, "transB", 0) != 0 ? 0 : 1;
    else if (rank == 2)
      out.channel_axis = 1;
    if (node.op_type == "Conv" ? rank < 3 : node.op_type == "Gemm" && rank != 2)
      return std::nullopt;
    if (node.op_type != "MatMul" && node.inputs.size() > 2) out.bias = node.inputs[2];
    if (out.bias != kNone && !(is_weight(out.bias) && is_row(out.bias, channels(out))))
      return std::nullopt;
    if (node.op_type == "Conv") out.batch_norm = folded(node.outputs[0], channels(out));
    if (node.op_type == "MatMul" && out.channel_axis) find_added_bias(node.outputs[0], out);
    return out;
  }

  void find_added_bias(ValueId v, Int8Product& product) const {
    const NodeId n = only_reader(model_, v);
    if (n == kNone || !is(model_, n, "Add") || model_.inputs(n).size() != 2) return;
    const ValueId bias = model_.inputs(n)[model_.inputs(n)[0] == v ? 1 : 0];
    if (!is_weight(bias) || !is_row(bias, channels(product)) || model_.outputs(n).empty() ||
        !is_float(model_.outputs(n)[0]) ||
        resolved_.type(bias).shape.rank > resolved_.type(v).shape.rank)
      return;
    product.bias = bias;
    product.bias_add = n;
  }

  std::int64_t channels(const Int8Product& product) const {
    return resolved_.type(product.weight).shape[*product.channel_axis].value();
  }

  /// True for an element for each channel, or one for all.
  bool is_row(ValueId bias, std::int64_t channels) const {
    const std::span<const ops::Dim> dims = resolved_.type(bias).shape.span();
    const auto is_one = [](const ops::Dim& d) { return d.is(1); };
    if (std::ranges::all_of(dims, is_one)) return true;
    return dims.back().is(channels) && std::ranges::all_of(dims.first(dims.size() - 1), is_one);
  }

  /// The BatchNormalization that alone reads `v`, in inference with constant parameters.
  NodeId folded(ValueId v, std::int64_t channels) const {
    const NodeId n = only_reader(model_, v);
    if (n == kNone || !is(model_, n, "BatchNormalization")) return kNone;
    const graph::Node node = model_.node(n);
    const bool plain = node.inputs[0] == v && integer(node, "training_mode", 0) == 0 &&
                       std::ranges::count(node.outputs, kNone) + 1 == std::ssize(node.outputs);
    const auto is_parameter = [&](ValueId p) {
      return is_weight(p) && resolved_.type(p).shape.rank == 1 &&
             resolved_.type(p).shape[0].is(channels);
    };
    const bool constant =
        node.inputs.size() == 5 && std::ranges::all_of(node.inputs.subspan(1), is_parameter);
    return plain && constant && is_float(node.outputs[0]) ? n : kNone;
  }

  Part part(NodeId n) const {
    const graph::NodeKind& kind = model_.kind(n);
    if (!kind.domain.empty()) return Part::kFloat;
    const graph::Node node = model_.node(n);
    if (node.inputs.empty() || !is_activation(node.inputs[0]) || node.outputs.empty())
      return Part::kFloat;
    if (one_of(kind.op_type, kPasses)) return passes(node) ? Part::kPasses : Part::kFloat;
    const bool single = node.outputs.size() == 1 || kind.op_type == "Split";
    if (!single || !std::ranges::all_of(node.outputs, [&](ValueId v) { return is_read(v); }))
      return Part::kFloat;
    if (one_of(kind.op_type, kMoves))
      return kind.op_type != "Resize" || copies_pixels(node) ? Part::kMoves : Part::kFloat;
    if (one_of(kind.op_type, kBetween)) return Part::kBetween;
    if (!one_of(kind.op_type, kComputes) || !distinct(data_inputs(n))) return Part::kFloat;
    const onnx::Attribute* dilations = graph::attribute(node, "dilations");
    const bool dense =
        dilations == nullptr || std::ranges::all_of(dilations->ints, [](auto d) { return d == 1; });
    return dense ? Part::kComputes : Part::kFloat;
  }

  bool is_read(ValueId v) const {
    return is_float(v) && (model_.value(v).graph_output || !model_.consumers(v).empty());
  }

  /// False for a Dropout that may be in training.
  static bool passes(const graph::Node& node) {
    const bool trains = node.inputs.size() > 2 && node.inputs[2] != kNone;
    return !trains && node.outputs.size() == 1;
  }

  static bool copies_pixels(const graph::Node& node) {
    const onnx::Attribute* mode = graph::attribute(node, "mode");
    const onnx::Attribute* places = graph::attribute(node, "coordinate_transformation_mode");
    return (mode == nullptr || mode->s == "nearest") &&
           (places == nullptr || places->s != "tf_crop_and_resize");
  }

  bool distinct(std::span<const ValueId> inputs) const {
    return std::ranges::all_of(
        inputs, [&](ValueId v) { return is_activation(v) && std::ranges::count(inputs, v) == 1; });
  }

  /// Activations that a node reads; the other inputs are parameters.
  std::span<const ValueId> data_inputs(NodeId n) const {
    const std::string_view op = model_.kind(n).op_type;
    const std::span<const ValueId> inputs = model_.inputs(n);
    return op == "Add" || op == "Mul" || op == "Concat" ? inputs : inputs.first(1);
  }

  /// The Relu or Clip that alone reads `v` and cuts nothing between its least and greatest result,
  /// 0 included; else kNone.
  NodeId activation(ValueId v) const {
    const NodeId n = only_reader(model_, v);
    if (n == kNone || (!is(model_, n, "Relu") && !is(model_, n, "Clip"))) return kNone;
    if (model_.inputs(n)[0] != v || model_.outputs(n).empty() || !is_float(model_.outputs(n)[0]))
      return kNone;
    if (is(model_, n, "Relu")) return n;
    const std::span<const ValueId> inputs = model_.inputs(n);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      if (inputs[i] == kNone) continue;
      const std::optional<double> bound = scalar_of(resolved_, inputs[i]);
      if (!bound || (i == 1 ? *bound > 0 : *bound < 0)) return kNone;
    }
    return n;
  }

  struct Result {
    ValueId value = kNone;
    NodeId writer = kNone;
  };

  /// The result of a node that computes, with what is part of it.
  Result result(NodeId n) const {
    Result out{model_.outputs(n)[0], n};
    if (products_[n] && products_[n]->batch_norm != kNone)
      out.value = model_.outputs(products_[n]->batch_norm)[0];
    if (products_[n] && products_[n]->bias_add != kNone)
      out = {model_.outputs(products_[n]->bias_add)[0], products_[n]->bias_add};
    if (const NodeId a = activation(out.value); a != kNone) out = {model_.outputs(a)[0], a};
    return out;
  }

  bool any_result(NodeId n, const std::vector<bool>& has) const {
    if (parts_[n] == Part::kMoves || parts_[n] == Part::kPasses)
      return std::ranges::any_of(model_.outputs(n), [&](ValueId v) { return has[v]; });
    return has[result(n).value];
  }

  void mark_wanted(NodeId n) {
    if (parts_[n] == Part::kFloat) return;
    // Example: Conv a -> MaxPool -> Conv b. Visited backwards, b wants the result of MaxPool, and
    // MaxPool, which has an int8 form, wants the result of a for it. With Tanh between a and b the
    // result of a is only wished: Tanh itself computes in float.
    const bool product = parts_[n] == Part::kProduct;
    const bool wanted = product || (parts_[n] != Part::kBetween && any_result(n, wanted_));
    const bool wished = product || any_result(n, wished_);
    for (const ValueId v : data_inputs(n)) {
      if (wanted) wanted_[v] = true;
      if (wished) wished_[v] = true;
    }
  }

  void place(NodeId n) {
    switch (parts_[n]) {
      case Part::kFloat:
        return;
      case Part::kProduct:
        return place_product(*products_[n]);
      case Part::kBetween:
        if (!int8_[model_.inputs(n)[0]] || !any_result(n, wished_)) return;
        return add_pair(result(n), result(n).value);
      case Part::kComputes: {
        const auto is_int8 = [&](ValueId v) { return int8_[v]; };
        if (!any_result(n, wished_) || std::ranges::none_of(data_inputs(n), is_int8)) return;
        read(n);
        return add_pair(result(n), result(n).value);
      }
      case Part::kMoves: {
        const ValueId from = model_.inputs(n)[0];
        if (!int8_[from] || !any_result(n, wished_)) return;
        for (const ValueId v : model_.outputs(n)) add_pair({v, n}, range_of_[from]);
        return;
      }
      case Part::kPasses: {
        const ValueId from = model_.inputs(n)[0], to = model_.outputs(n)[0];
        int8_[to] = int8_[from];
        range_of_[to] = range_of_[from];
        return;
      }
    }
  }

  void place_product(const Int8Product& product) {
    const NodeId n = product.node;
    read(n);
    out_.products.push_back(product);
    const Result r = result(n);
    if (model_.kind(n).op_type == "Conv" || wanted_[r.value]) add_pair(r, r.value);
  }

  void add_pair(const Result& at, ValueId range_of) {
    int8_[at.value] = true;
    range_of_[at.value] = range_of;
    out_.pairs.push_back({at.value, range_of, at.writer});
  }

  /// Adds pairs before inputs that are floats.
  void read(NodeId n) {
    const std::span<const ValueId> inputs = data_inputs(n);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const ValueId v = inputs[i];
      if (int8_[v]) continue;
      if (!beside_[v]) out_.pairs.push_back({v, v, kNone});
      beside_[v] = true;
      out_.reads.push_back({n, i, v});
    }
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  std::vector<std::optional<Int8Product>> products_;  // by node
  std::vector<Part> parts_;                           // by node
  // By value.
  std::vector<bool> fixed_;
  std::vector<bool> wanted_;  // a product reads it, through nodes that have an int8 form
  std::vector<bool> wished_;  // or through functions of one element
  std::vector<bool> int8_;
  std::vector<ValueId> range_of_;
  std::vector<bool> beside_;  // pairs that only some read
  Int8Plan out_;
};

}  // namespace

Int8Plan plan_int8(const Resolved& resolved) { return Planner(resolved).run(); }

}  // namespace ridge::rewrite
