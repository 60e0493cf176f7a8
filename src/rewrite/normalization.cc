// SPDX-License-Identifier: Apache-2.0
#include "rewrite/normalization.h"

#include <cmath>
#include <string>

#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Tensor and number of last axes that a mean is taken of.
struct Mean {
  NodeId node = kNone;
  ValueId of = kNone;
  std::size_t axes = 0;
};

class NormalizationMatcher {
 public:
  explicit NormalizationMatcher(const Resolved& resolved)
      : resolved_(resolved), model_(resolved.model()) {}

  std::optional<Normalization> match(NodeId root) {
    if (only_output(model_, root) == kNone) return std::nullopt;
    if (!is(model_, root, "Add")) return product(root, kNone);
    // One operand is the product, the other the bias.
    for (const std::size_t i : {0U, 1U}) {
      const ValueId v = input(root, i);
      for (const std::string_view op : {"Mul", "Div"})
        if (const NodeId n = producer(model_, v, op); n != kNone)
          if (std::optional<Normalization> found = product(n, root)) return found;
    }
    return std::nullopt;
  }

 private:
  ValueId input(NodeId n, std::size_t i) const { return rewrite::input(model_, n, i); }
  bool is_number(ValueId v, double number) const {
    const std::optional<double> is = scalar_of(resolved_, v);
    return is && *is == number;
  }

  /// `add`: adds a bias to the product; kNone: there is none.
  std::optional<Normalization> product(NodeId n, NodeId add) {
    nodes_.clear(), tensors_.clear(), radicand_ = kNone;
    if (!factors_of(n) || radicand_ == kNone || tensors_.empty() || tensors_.size() > 2)
      return std::nullopt;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const ValueId scale = tensors_.size() == 2 ? tensors_[1 - i] : kNone;
      for (const bool centered : {true, false}) {
        if (!centered && add != kNone) continue;
        std::optional<Normalization> found = normalized(tensors_[i], centered);
        if (!found) continue;
        found->scale = scale;
        found->root = add == kNone ? n : add;
        if (add != kNone) {
          found->bias = input(add, input(add, 0) == only_output(model_, n) ? 1 : 0);
          found->nodes.push_back(add);
        }
        if (valid(*found)) return found;
      }
    }
    return std::nullopt;
  }

  /// Takes apart a product: tensors, and the inverse root of one radicand.
  // Example: Mul(scale, Mul(d, Reciprocal(Sqrt(v)))) has the tensors scale and d, and the radicand
  // v.
  bool factors_of(NodeId n) {
    const bool mul = is(model_, n, "Mul");
    constexpr std::size_t kMax = 6;  // of the longest form: Mul, Mul, Div, Sqrt
    if ((!mul && !is(model_, n, "Div")) || nodes_.size() == kMax) return false;
    nodes_.push_back(n);
    if (mul) return factor(input(n, 0)) && factor(input(n, 1));
    return (is_number(input(n, 0), 1) || factor(input(n, 0))) && root(input(n, 1), 0.5);
  }

  bool factor(ValueId v) {
    if (v == kNone) return false;
    if (const NodeId n = producer(model_, v, "Reciprocal"); n != kNone) {
      nodes_.push_back(n);
      return root(input(n, 0), 0.5);
    }
    if (producer(model_, v, "Pow") != kNone && root(v, -0.5)) return true;
    if (only_reader(model_, v) != kNone && !resolved_.constant(v))
      for (const std::string_view op : {"Mul", "Div"})
        if (const NodeId n = producer(model_, v, op); n != kNone) return factors_of(n);
    tensors_.push_back(v);
    return true;
  }

  /// Takes Sqrt(radicand), or Pow(radicand, power).
  bool root(ValueId v, double power) {
    NodeId n = power > 0 ? producer(model_, v, "Sqrt") : kNone;
    if (n == kNone) {
      n = producer(model_, v, "Pow");
      if (n != kNone && !is_number(input(n, 1), power)) n = kNone;
    }
    if (n == kNone || radicand_ != kNone) return false;
    nodes_.push_back(n);
    radicand_ = input(n, 0);
    return radicand_ != kNone;
  }

  std::optional<Mean> mean(ValueId v) const {
    const NodeId n = producer(model_, v, "ReduceMean");
    if (n == kNone || input(n, 0) == kNone) return std::nullopt;
    const graph::Node node = model_.node(n);
    const ops::Shape& shape = resolved_.type(node.inputs[0]).shape;
    std::vector<std::int64_t> axes;
    if (const onnx::Attribute* a = graph::attribute(node, "axes")) {
      axes.assign(a->ints.begin(), a->ints.end());
    } else if (const auto given = integers_of(resolved_, input(n, 1))) {
      axes = *given;
    }
    if (integer(node, "keepdims", 1) != 1 || axes.empty() || std::ssize(axes) > shape.rank)
      return std::nullopt;
    for (std::int64_t& axis : axes) axis = axis < 0 ? axis : axis - shape.rank;
    std::ranges::sort(axes);
    for (std::int64_t i = 0; i < std::ssize(axes); ++i)
      if (axes[static_cast<std::size_t>(i)] != i - std::ssize(axes)) return std::nullopt;
    return Mean{n, node.inputs[0], axes.size()};
  }

  /// The operand of a difference from its own mean.
  std::optional<Mean> difference(ValueId v, std::vector<NodeId>& nodes) const {
    const NodeId n = producer(model_, v, "Sub");
    if (n == kNone) return std::nullopt;
    const std::optional<Mean> of = mean(input(n, 1));
    if (!of || of->of != input(n, 0)) return std::nullopt;
    nodes.insert(nodes.end(), {n, of->node});
    return of;
  }

  ValueId squared(NodeId n) const {
    if (n == kNone) return kNone;
    const bool two = is(model_, n, "Mul") ? input(n, 1) == input(n, 0)
                                          : is(model_, n, "Pow") && is_number(input(n, 1), 2);
    return two && only_output(model_, n) != kNone ? input(n, 0) : kNone;
  }

  /// Matches the tensor `y` times the inverse root with radicand mean(y^2) + epsilon.
  std::optional<Normalization> normalized(ValueId y, bool centered) {
    const NodeId add = producer(model_, radicand_, "Add");
    if (add == kNone) return std::nullopt;
    const std::size_t at = mean(input(add, 0)) ? 0 : 1;
    const std::optional<Mean> variance = mean(input(add, at));
    const std::optional<double> epsilon = scalar_of(resolved_, input(add, 1 - at));
    if (!variance || !epsilon || !(*epsilon >= 0)) return std::nullopt;
    const NodeId square = model_.value(variance->of).producer;
    const ValueId from = squared(square);
    if (from == kNone) return std::nullopt;
    Normalization out{.centered = centered, .nodes = nodes_, .x = y, .axes = variance->axes};
    out.epsilon = static_cast<float>(*epsilon);
    out.nodes.insert(out.nodes.end(), {add, variance->node, square});
    if (!centered) return from == y ? std::optional(out) : std::nullopt;
    // Some exporters write the difference twice.
    const std::optional<Mean> of = difference(y, out.nodes);
    if (!of || of->axes != out.axes) return std::nullopt;
    if (from != y) {
      const std::optional<Mean> same = difference(from, out.nodes);
      if (!same || same->of != of->of || same->axes != of->axes) return std::nullopt;
    }
    out.x = of->of;
    return out;
  }

  bool valid(Normalization& n) const {
    make_ascending(n.nodes);
    const ValueId y = only_output(model_, n.root);
    const ops::Type &of = resolved_.type(n.x), &result = resolved_.type(y);
    if (resolved_.constant(n.x) || of.dtype != onnx::DataType::kFloat ||
        result.dtype != onnx::DataType::kFloat || !ops::same_shape(of.shape, result.shape))
      return false;
    if (!fits(n.scale, n) || !fits(n.bias, n) || !closed(model_, n.nodes, n.root)) return false;
    n.known = is_known(n);
    return true;
  }

  /// True if a scale or bias has the shape of the last axes, perhaps with ones before.
  bool fits(ValueId v, const Normalization& n) const {
    if (v == kNone) return true;
    const ops::Type& type = resolved_.type(v);
    const ops::Shape &shape = type.shape, &x = resolved_.type(n.x).shape;
    const auto axes = static_cast<std::int32_t>(n.axes);
    if (type.dtype != onnx::DataType::kFloat || shape.rank < axes || shape.rank > x.rank)
      return false;
    if (shape.rank > axes && axes > 1) return false;
    for (std::int32_t i = 1; i <= shape.rank; ++i) {
      const ops::Dim d = shape[static_cast<std::size_t>(shape.rank - i)];
      if (i <= axes ? !d.same(x[static_cast<std::size_t>(x.rank - i)]) : !d.is(1)) return false;
    }
    return true;
  }

  /// Whether runtimes know the form (layer_norm_fusion of ONNX Runtime).
  bool is_known(const Normalization& n) const {
    std::vector<std::string> ops;
    for (const NodeId m : n.nodes) {
      ops.emplace_back(model_.kind(m).op_type);
      // The tensor itself is divided, not its product with the scale.
      const NodeId before = is(model_, m, "Div") ? producer(model_, input(m, 0), "Mul") : kNone;
      if (before != kNone && std::ranges::binary_search(n.nodes, before)) return false;
    }
    std::ranges::sort(ops);
    const auto vector = [&](ValueId v) { return v != kNone && resolved_.type(v).shape.rank == 1; };
    if (n.axes != 1 || !vector(n.scale) || (n.centered && !vector(n.bias))) return false;
    std::vector<std::string> form = {"Add", "Div", "Mul", "Pow", "ReduceMean", "Sqrt"};
    if (n.centered)
      form = {"Add", "Add", "Div", "Mul", "Pow", "ReduceMean", "ReduceMean", "Sqrt", "Sub"};
    return ops == form;
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  // The product that is taken apart:
  std::vector<NodeId> nodes_;
  std::vector<ValueId> tensors_;
  ValueId radicand_ = kNone;
};

}  // namespace

std::optional<Normalization> match_normalization(const Resolved& resolved, NodeId root) {
  return NormalizationMatcher(resolved).match(root);
}

}  // namespace ridge::rewrite
