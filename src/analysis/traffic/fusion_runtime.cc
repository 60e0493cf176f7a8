// SPDX-License-Identifier: Apache-2.0
// Fusion of floating-point arithmetic as performed by ONNX Runtime's optimizer at its default
// level, on graphs as exporters write them (onnxruntime/core/optimizer: constant_folding,
// conv_bn_fusion, conv_mul_fusion, conv_add_fusion, conv_activation_fusion, conv_add_act_fusion,
// matmul_add_fusion, gemm_activation_fusion, matmul_scale_fusion, matmul_transpose_fusion,
// gemm_transpose_fusion, layer_norm_fusion, skip_layer_norm_fusion, gelu_fusion, fast_gelu_fusion,
// quick_gelu_fusion, bias_gelu_fusion). Its attention_fusion and embed_layer_norm_fusion are
// omitted: they match nothing in exported graphs once matmul_add_fusion has run.
// docs/reference/traffic.md documents the list.
#include <algorithm>
#include <array>

#include "analysis/traffic/fusion_groups.h"

namespace ridge::analysis {
namespace {

using graph::kNone;
using graph::NodeId;
using graph::ValueId;

constexpr std::array<std::string_view, 6> kActivations = {"Relu", "LeakyRelu", "Sigmoid",
                                                          "Tanh", "Clip",      "HardSigmoid"};
constexpr std::array<std::string_view, 8> kTree = {"Add", "Sub", "Mul",  "Div",
                                                   "Pow", "Erf", "Tanh", "Sigmoid"};
constexpr std::array<std::string_view, 3> kAnchors = {"Erf", "Tanh", "Sigmoid"};
constexpr std::array<std::string_view, 2> kScales = {"Add", "Mul"};

class RuntimeFusion {
 public:
  explicit RuntimeFusion(FusionGroups& groups) : groups_(groups), model_(groups.model()) {}

  void run() {
    fold_constants();
    fuse_quantized(groups_);
    for (const graph::Graph& g : model_.graphs()) {
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is(n, "Sqrt")) fuse_normalization(n);
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is(n, "LayerNormalization")) fuse_sum(n);
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is_one_of(n, kAnchors)) fuse_activation(n);
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is(n, "Gelu")) fuse_bias(n);
      for (const NodeId n : g.order)
        if (free_to_join(n)) fuse_product(n);
    }
  }

 private:
  bool free_to_join(NodeId n) const { return groups_.free_to_join(n); }

  /// Folds nodes that depend only on constants and shapes, except those computed from the output of
  /// a DequantizeLinear: quantized weights stay in their small storage type.
  void fold_constants() {
    std::vector<bool> dequantized(model_.values().size());
    for (const graph::Graph& g : model_.graphs()) {
      for (const NodeId n : g.order) {
        const auto outputs = model_.outputs(n);
        const bool stays = groups_.is(n, "DequantizeLinear") ||
                           std::ranges::any_of(model_.inputs(n), [&](ValueId v) {
                             return v != kNone && dequantized[v];
                           });
        const bool known = std::ranges::all_of(outputs, [&](ValueId v) {
          return v == kNone || groups_.constant(v) || groups_.resolved().value(v) != nullptr;
        });
        if (!known || !model_.bodies(n).empty()) continue;
        if (!stays) groups_.fold(n);
        for (const ValueId v : outputs)
          if (v != kNone) dequantized[v] = stays;
      }
    }
  }

  ValueId input(NodeId n, std::size_t i) const { return groups_.input(n, i); }
  std::optional<NodeId> next(NodeId n, std::string_view name) const {
    return groups_.next(n, name);
  }
  std::optional<NodeId> maker(ValueId v, NodeId reader, std::string_view name) const {
    return groups_.maker(v, reader, name);
  }
  ValueId other(NodeId n, ValueId v) const { return groups_.other(n, v); }

  /// Returns the operand squared by `n`, written as Mul(y, y) or Pow(y, 2).
  std::optional<ValueId> squared(NodeId n) const {
    const ValueId y = input(n, 0);
    if (groups_.is(n, "Mul")) return input(n, 1) == y ? std::optional(y) : std::nullopt;
    if (!groups_.is(n, "Pow") || !groups_.scalar_constant(input(n, 1))) return std::nullopt;
    const ops::Value* power = groups_.resolved().value(input(n, 1));
    const bool two = power == nullptr || (power->reals.size() == 1 && power->reals[0] == 2) ||
                     (power->ints.size() == 1 && power->ints[0].is(2));
    return two ? std::optional(y) : std::nullopt;
  }

  /// Matches a normalization around its Sqrt: [mean, Sub,] square, mean, Add, Sqrt, Div (or
  /// Reciprocal and Mul), followed by an optional constant scale and shift.
  void fuse_normalization(NodeId root) {
    const auto add = maker(input(root, 0), root, "Add");
    if (!add) return;
    ValueId mean = kNone;
    for (const ValueId v : {input(*add, 0), input(*add, 1)})
      if (!groups_.constant(v)) mean = v;
    if (!groups_.scalar_constant(other(*add, mean))) return;
    const auto variance = maker(mean, *add, "ReduceMean");
    if (!variance) return;
    const auto square = groups_.producer(input(*variance, 0), *variance);
    const std::optional<ValueId> y = square ? squared(*square) : std::nullopt;
    if (!y || !free_to_join(*square)) return;
    std::vector<NodeId> members = {*square, *variance, *add, root};
    for (std::size_t i = 0; i + 1 < members.size(); ++i)
      if (groups_.only_reader(groups_.output(members[i])) != members[i + 1]) return;
    if (!close_normalization(*y, members)) return;
    const bool layer = open_normalization(*y, members);
    follow_scale_and_shift(members);
    if (layer) lead_with_sum(input(members.front(), 0), members);
    groups_.make(members, members.back());
  }

  /// Adds the node(s) for y / root, or y * (1 / root).
  bool close_normalization(ValueId y, std::vector<NodeId>& members) const {
    NodeId at = members.back();
    if (const auto reciprocal = next(at, "Reciprocal")) {
      members.push_back(at = *reciprocal);
      const auto product = next(at, "Mul");
      if (!product || other(*product, groups_.output(at)) != y) return false;
      members.push_back(*product);
      return true;
    }
    const auto quotient = next(at, "Div");
    if (!quotient || input(*quotient, 0) != y) return false;
    members.push_back(*quotient);
    return true;
  }

  /// If y is x minus its mean and only members read y, adds both nodes and returns true.
  bool open_normalization(ValueId y, std::vector<NodeId>& members) const {
    const NodeId square = members.front();
    const auto center = maker(y, square, "Sub");
    if (!center || !read_by_none_but(y, members)) return false;
    const auto mean = maker(input(*center, 1), *center, "ReduceMean");
    if (!mean || input(*mean, 0) != input(*center, 0)) return false;
    if (groups_.only_reader(groups_.output(*mean)) != *center) return false;
    members.insert(members.begin(), {*mean, *center});
    return true;
  }

  bool read_by_none_but(ValueId v, std::span<const NodeId> members) const {
    return !model_.value(v).graph_output &&
           std::ranges::all_of(model_.consumers(v), [&](NodeId reader) {
             return std::ranges::find(members, reader) != members.end();
           });
  }

  /// Adds the preceding residual sum, which only the normalization reads, to a layer normalization
  /// over the last of three dimensions, and the bias Add before one operand of that sum.
  void lead_with_sum(ValueId x, std::vector<NodeId>& members) const {
    const auto sum = maker(x, members.front(), "Add");
    if (!sum || !read_by_none_but(x, members)) return;
    const ValueId a = input(*sum, 0), b = input(*sum, 1);
    if (!groups_.same_shape(a, x) || !groups_.same_shape(b, x)) return;
    if (groups_.resolved().type(x).shape.rank != 3) return;
    members.insert(members.begin(), *sum);
    for (const ValueId v : {a, b}) {
      const auto shift = maker(v, *sum, "Add");
      if (!shift || groups_.only_reader(v) != *sum || !biased(*shift)) continue;
      if (biases_product(*shift)) continue;
      members.insert(members.begin(), *shift);
      return;
    }
  }

  /// True if the Add adds a constant vector (a bias).
  bool biased(NodeId add) const { return bias(input(add, 0)) || bias(input(add, 1)); }

  /// True if matmul_add_fusion merges the bias into the preceding matrix product.
  bool biases_product(NodeId add) const {
    const ValueId before = bias(input(add, 0)) ? input(add, 1) : input(add, 0);
    const auto product = groups_.producer(before, add);
    return product && groups_.is(*product, "MatMul") && groups_.only_reader(before);
  }

  void fuse_sum(NodeId norm) {
    if (groups_.output(norm) == kNone) return;
    const ValueId scale = input(norm, 1);
    if (scale == kNone || groups_.resolved().type(scale).shape.rank != 1) return;
    std::vector<NodeId> members = {norm};
    lead_with_sum(input(norm, 0), members);
    if (members.size() > 1) groups_.make(members, norm);
  }

  /// Fuses the bias before an activation, unless the preceding matrix product absorbs it.
  void fuse_bias(NodeId activation) {
    std::vector<NodeId> members = {activation};
    lead_with_bias(input(activation, 0), members);
    if (members.size() > 1) groups_.make(members, activation);
  }

  void lead_with_bias(ValueId x, std::vector<NodeId>& members) const {
    const auto add = maker(x, members.front(), "Add");
    if (!add || !biased(*add) || biases_product(*add) || !read_by_none_but(x, members)) return;
    members.insert(members.begin(), *add);
  }

  void follow_scale_and_shift(std::vector<NodeId>& members) const {
    for (const std::string_view name : {"Mul", "Add"}) {
      const NodeId at = members.back();
      const auto after = next(at, name);
      if (!after || !groups_.constant(other(*after, groups_.output(at)))) return;
      members.push_back(*after);
    }
  }

  /// Fuses a tree of element-wise nodes over one tensor x and scalar constants that reads x at
  /// least twice, such as Gelu by erf or tanh, or x*sigmoid(x). Tries the largest tree first; it
  /// ends within three nodes of the anchor.
  // Example: Gelu as Div(x, 1.41) -> Erf -> Add(1) -> Mul(x) -> Mul(0.5), anchor Erf. The chain of
  // only readers after Erf gives the ends {Add, Mul, Mul}. From the last Mul the tree collects
  // Mul(x), Add, Erf and Div; its reads that are not scalar constants are x (by Mul) and x (by
  // Div). One leaf, read twice: all five nodes form one group.
  void fuse_activation(NodeId anchor) {
    std::vector<NodeId> ends;
    NodeId at = anchor;
    for (int i = 0; i < 3; ++i) {
      const auto reader = groups_.only_reader(groups_.output(at));
      if (!reader || !groups_.is_one_of(*reader, kTree) || !free_to_join(*reader)) break;
      ends.push_back(at = *reader);
    }
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      std::vector<NodeId> members = tree_over_one_tensor(*end);
      if (members.empty()) continue;
      if (!groups_.is(anchor, "Sigmoid")) lead_with_bias(leaf_of(members), members);
      groups_.make(members, *end);
      return;
    }
  }

  /// Returns the tree that ends at `end`; empty if it reads more than one tensor besides scalars.
  std::vector<NodeId> tree_over_one_tensor(NodeId end) const {
    constexpr std::size_t kMax = 10;
    std::vector<NodeId> members = {end};
    ValueId leaf = kNone;
    int reads = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const ValueId v : model_.node(members[i]).inputs) {
        if (groups_.scalar_constant(v)) continue;
        const auto made_by = groups_.producer(v, members[i]);
        const bool inner = made_by && groups_.only_reader(v) && free_to_join(*made_by) &&
                           groups_.is_one_of(*made_by, kTree) && members.size() < kMax &&
                           input(members[i], 0) != input(members[i], 1);
        if (inner) {
          members.push_back(*made_by);
          continue;
        }
        if (leaf != kNone && leaf != v) return {};
        leaf = v;
        ++reads;
      }
    }
    return reads >= 2 ? members : std::vector<NodeId>();
  }

  /// Returns the tensor that a tree reads.
  ValueId leaf_of(std::span<const NodeId> members) const {
    for (const NodeId n : members)
      for (const ValueId v : model_.inputs(n)) {
        const auto made_by = groups_.producer(v, n);
        const bool inner = made_by && std::ranges::find(members, *made_by) != members.end();
        if (!inner && !groups_.scalar_constant(v)) return v;
      }
    return kNone;
  }

  /// Fuses a convolution or matrix product with the nodes that follow in its epilogue.
  void fuse_product(NodeId n) {
    const bool conv = groups_.is(n, "Conv"), gemm = groups_.is(n, "Gemm");
    if (!conv && !gemm && !groups_.is(n, "MatMul")) return;
    Pass pass{n, conv, gemm};
    while (!pass.ended) {
      const ValueId v = groups_.output(pass.last);
      const auto reader = groups_.only_reader(v);
      if (!reader || !free_to_join(*reader)) break;
      if (!groups_.same_shape(v, groups_.output(*reader)) || !rides(*reader, v, pass)) break;
      groups_.join(pass.last, *reader);
      pass.last = *reader;
    }
    // With a bias, a product of higher rank becomes a Gemm between two views.
    const bool flat = groups_.resolved().type(groups_.output(n)).shape.rank == 2;
    if (!conv && (flat || !pass.biased))
      for (const std::size_t i : {0U, 1U}) take_operand(n, input(n, i), pass.biased);
  }

  /// Lets a matrix product read its operand through a Transpose or, unless it is a Gemm, a scale.
  void take_operand(NodeId reader, ValueId v, bool gemm) {
    constexpr int kMax = 4;
    for (int i = 0; i < kMax; ++i) {
      const auto made_by = groups_.producer(v, reader);
      if (!made_by || !free_to_join(*made_by)) return;
      ValueId from = transposed(*made_by);
      if (from == kNone && !gemm) from = scaled(*made_by);
      if (from == kNone || groups_.constant(from)) return;
      groups_.take_in(reader, v, from);
      if (!groups_.only_reader(v)) return;
      reader = *made_by;
      v = from;
    }
  }

  /// Returns the input of a Transpose that swaps only the last two dimensions; else kNone.
  ValueId transposed(NodeId n) const {
    if (!groups_.is(n, "Transpose")) return kNone;
    const ValueId from = input(n, 0);
    const std::int32_t rank = from == kNone ? -1 : groups_.resolved().type(from).shape.rank;
    const graph::Node& node = model_.node(n);
    const onnx::Attribute* perm = graph::attribute(node, "perm");
    if (rank < 2 || (perm == nullptr && rank != 2)) return kNone;
    for (std::int32_t i = 0; perm != nullptr && i < rank; ++i) {
      const std::int64_t wanted = i == rank - 2 ? rank - 1 : i == rank - 1 ? rank - 2 : i;
      if (std::ssize(perm->ints) != rank || perm->ints[static_cast<std::size_t>(i)] != wanted)
        return kNone;
    }
    return from;
  }

  /// Returns the operand that a Mul or Div multiplies by a scalar constant; else kNone.
  ValueId scaled(NodeId n) const {
    if (groups_.is(n, "Div")) return groups_.scalar_constant(input(n, 1)) ? input(n, 0) : kNone;
    if (!groups_.is(n, "Mul")) return kNone;
    const ValueId a = input(n, 0), b = input(n, 1);
    return groups_.scalar_constant(b) ? a : groups_.scalar_constant(a) ? b : kNone;
  }

  struct Pass {
    NodeId last;
    bool conv, biased;  ///< biased: a Gemm, or a MatMul that became one by a bias
    bool summed = false, scaled = false, ended = false;
  };

  bool rides(NodeId n, ValueId v, Pass& pass) const {
    const bool activation = groups_.is_one_of(n, kActivations) && input(n, 0) == v;
    if (activation) return pass.ended = pass.conv || pass.biased;
    const ValueId operand = other(n, v);
    if (!pass.conv) {
      if (!pass.biased && scaled(n) == v) return pass.scaled = true;
      if (pass.scaled || pass.biased || !groups_.is(n, "Add") || !bias(operand)) return false;
      return pass.biased = true;
    }
    if (pass.summed) return false;
    if (groups_.is(n, "BatchNormalization")) return input(n, 0) == v && constant_parameters(n);
    if (groups_.is_one_of(n, kScales) && groups_.constant(operand)) return true;
    if (!groups_.is(n, "Add") || operand == kNone || operand == v) return false;
    return pass.summed = groups_.same_shape(operand, v);
  }

  /// True for a constant vector: one element per column.
  bool bias(ValueId v) const {
    return groups_.constant(v) && groups_.resolved().type(v).shape.rank == 1;
  }

  bool constant_parameters(NodeId n) const {
    const auto inputs = model_.node(n).inputs;
    return std::all_of(inputs.begin() + 1, inputs.end(),
                       [&](ValueId v) { return groups_.constant(v); });
  }

  FusionGroups& groups_;
  const graph::Model& model_;
};

}  // namespace

void fuse_as_runtimes_do(FusionGroups& groups) { RuntimeFusion(groups).run(); }

}  // namespace ridge::analysis
