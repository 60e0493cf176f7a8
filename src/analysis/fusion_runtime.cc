// The fusions of arithmetic that ONNX Runtime's optimiser performs at its default level on graphs
// as exporters write them (onnxruntime/core/optimizer: constant_folding, conv_bn_fusion,
// conv_mul_fusion, conv_add_fusion, conv_activation_fusion, conv_add_act_fusion, matmul_add_fusion,
// gemm_activation_fusion, layer_norm_fusion, gelu_fusion, fast_gelu_fusion, quick_gelu_fusion).
// docs/reference/traffic.md lists them for readers.
#include <algorithm>
#include <array>

#include "analysis/fusion_groups.h"

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
  RuntimeFusion(FusionGroups& groups, std::vector<bool>& folded)
      : groups_(groups), model_(groups.model()), folded_(folded) {}

  void run() {
    fold_constants();
    for (const graph::Graph& g : model_.graphs()) {
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is(n, "Sqrt")) fuse_normalization(n);
      for (const NodeId n : g.order)
        if (free_to_join(n) && groups_.is_one_of(n, kAnchors)) fuse_activation(n);
      for (const NodeId n : g.order)
        if (free_to_join(n)) fuse_product(n);
    }
  }

 private:
  bool free_to_join(NodeId n) const { return !groups_.grouped(n) && !folded_[n]; }

  /// What depends on constants and shapes alone is computed when the model is loaded.
  void fold_constants() {
    for (NodeId n = 0; n < model_.nodes().size(); ++n) {
      const auto outputs = model_.node(n).outputs;
      folded_[n] =
          model_.node(n).bodies.empty() &&
          std::all_of(outputs.begin(), outputs.end(), [&](ValueId v) {
            return v == kNone || groups_.constant(v) || groups_.resolved().value(v) != nullptr;
          });
    }
  }

  ValueId input(NodeId n, std::size_t i) const {
    const auto inputs = model_.node(n).inputs;
    return i < inputs.size() ? inputs[i] : kNone;
  }

  /// The only reader of what `n` makes, where it has that name and belongs to no group.
  std::optional<NodeId> next(NodeId n, std::string_view name) const {
    const auto reader = groups_.only_reader(groups_.output(n));
    return reader && groups_.is(*reader, name) && free_to_join(*reader) ? reader : std::nullopt;
  }

  std::optional<NodeId> maker(ValueId v, NodeId reader, std::string_view name) const {
    const auto made_by = groups_.producer(v, reader);
    return made_by && groups_.is(*made_by, name) && free_to_join(*made_by) ? made_by : std::nullopt;
  }

  /// The operand of a node of two inputs that is not `v`; kNone where there is none.
  ValueId other(NodeId n, ValueId v) const {
    const ValueId a = input(n, 0), b = input(n, 1);
    return a == v ? b : b == v ? a : kNone;
  }

  /// y*y, as Mul(y, y) or Pow(y, 2); the value squared.
  std::optional<ValueId> squared(NodeId n) const {
    const ValueId y = input(n, 0);
    if (groups_.is(n, "Mul")) return input(n, 1) == y ? std::optional(y) : std::nullopt;
    if (!groups_.is(n, "Pow") || !groups_.scalar_constant(input(n, 1))) return std::nullopt;
    const ops::Value* power = groups_.resolved().value(input(n, 1));
    const bool two = power == nullptr || (power->reals.size() == 1 && power->reals[0] == 2) ||
                     (power->ints.size() == 1 && power->ints[0].is(2));
    return two ? std::optional(y) : std::nullopt;
  }

  /// Around its root: [mean, Sub,] square, mean, Add, Sqrt, Div (or Reciprocal and Mul), then a
  /// constant scale and shift where they follow.
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
    open_normalization(*y, members);
    follow_scale_and_shift(members);
    groups_.make(members, members.back());
  }

  /// y / root, or y * (1 / root).
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

  /// Where y is x less its mean and nobody else reads y, both nodes belong to it.
  void open_normalization(ValueId y, std::vector<NodeId>& members) const {
    const NodeId square = members.front(), last = members.back();
    const auto centre = maker(y, square, "Sub");
    if (!centre || model_.value(y).graph_output) return;
    for (const NodeId reader : model_.consumers(y))
      if (reader != square && reader != last) return;
    const auto mean = maker(input(*centre, 1), *centre, "ReduceMean");
    if (!mean || input(*mean, 0) != input(*centre, 0)) return;
    if (groups_.only_reader(groups_.output(*mean)) != *centre) return;
    members.insert(members.begin(), {*mean, *centre});
  }

  void follow_scale_and_shift(std::vector<NodeId>& members) const {
    for (const std::string_view name : {"Mul", "Add"}) {
      const NodeId at = members.back();
      const auto after = next(at, name);
      if (!after || !groups_.constant(other(*after, groups_.output(at)))) return;
      members.push_back(*after);
    }
  }

  /// A tree of element-wise nodes over one tensor x and scalar constants that reads x at least
  /// twice: Gelu by erf or tanh, x*sigmoid(x). The largest that ends within three nodes of the
  /// anchor.
  void fuse_activation(NodeId anchor) {
    std::vector<NodeId> ends;
    NodeId at = anchor;
    for (int i = 0; i < 3; ++i) {
      const auto reader = groups_.only_reader(groups_.output(at));
      if (!reader || !groups_.is_one_of(*reader, kTree) || !free_to_join(*reader)) break;
      ends.push_back(at = *reader);
    }
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      const std::vector<NodeId> members = tree_over_one_tensor(*end);
      if (members.empty()) continue;
      groups_.make(members, *end);
      return;
    }
  }

  /// Empty where the tree that ends at `end` reads anything but one tensor and scalars.
  std::vector<NodeId> tree_over_one_tensor(NodeId end) const {
    constexpr std::size_t kMost = 10;
    std::vector<NodeId> members = {end};
    ValueId leaf = kNone;
    int reads = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const ValueId v : model_.node(members[i]).inputs) {
        if (groups_.scalar_constant(v)) continue;
        const auto made_by = groups_.producer(v, members[i]);
        const bool inner = made_by && groups_.only_reader(v) && free_to_join(*made_by) &&
                           groups_.is_one_of(*made_by, kTree) && members.size() < kMost &&
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

  /// A convolution or matrix product with what follows it in its output pass.
  void fuse_product(NodeId n) {
    const bool conv = groups_.is(n, "Conv"), gemm = groups_.is(n, "Gemm");
    if (!conv && !gemm && !groups_.is(n, "MatMul")) return;
    Pass pass{n, conv, gemm};
    for (;;) {
      const ValueId v = groups_.output(pass.last);
      const auto reader = groups_.only_reader(v);
      if (pass.ended || !reader || !free_to_join(*reader)) return;
      if (!groups_.same_shape(v, groups_.output(*reader)) || !rides(*reader, v, pass)) return;
      groups_.join(pass.last, *reader);
      pass.last = *reader;
    }
  }

  struct Pass {
    NodeId last;
    bool conv, biased;  ///< a Gemm, or a MatMul that a bias has made one
    bool summed = false, ended = false;
  };

  bool rides(NodeId n, ValueId v, Pass& pass) const {
    const bool activation = groups_.is_one_of(n, kActivations) && input(n, 0) == v;
    if (activation) return pass.ended = pass.conv || pass.biased;
    const ValueId operand = other(n, v);
    if (!pass.conv) {
      if (pass.biased || !groups_.is(n, "Add") || !bias(operand)) return false;
      return pass.biased = true;
    }
    if (pass.summed) return false;
    if (groups_.is(n, "BatchNormalization")) return input(n, 0) == v && constant_parameters(n);
    if (groups_.is_one_of(n, kScales) && groups_.constant(operand)) return true;
    if (!groups_.is(n, "Add") || operand == kNone || operand == v) return false;
    return pass.summed = groups_.same_shape(operand, v);
  }

  /// One constant per column.
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
  std::vector<bool>& folded_;
};

}  // namespace

void fuse_as_runtimes_do(FusionGroups& groups, std::vector<bool>& folded) {
  RuntimeFusion(groups, folded).run();
}

}  // namespace ridge::analysis
