// SPDX-License-Identifier: Apache-2.0
// The rule for attention that is spelled out.
//
//   softmax(Q K^T * scale [+ mask]) V     (Vaswani et al. 2017, arXiv:1706.03762, equation 1)
//
// with Q, K and V of the shape [batch, heads, sequence, size], as exporters write it: MatMul, Mul
// or Div by a constant (of the product, of Q, of K^T, or of both), perhaps Add of a mask, Softmax,
// MatMul. MultiHeadAttention of ONNX Runtime reads [batch, sequence, heads * size], which is what
// the model has before it swaps the axes of heads and sequence: the Transpose nodes are left out
// where they are known, and added where not.
#include <array>
#include <cmath>
#include <utility>

#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using Permutation = std::array<std::int64_t, 4>;

constexpr Permutation kSwapHeads = {0, 2, 1, 3};
/// From K^T [batch, heads, size, sequence] to [batch, sequence, heads, size].
constexpr Permutation kRestoreKeys = {0, 3, 1, 2};
/// Permutation from K^T to K.
constexpr Permutation kSwapSizes = {0, 1, 3, 2};

struct Attention {
  std::vector<NodeId> nodes;  ///< ascending
  NodeId root = kNone;
  ValueId queries = kNone, keys_transposed = kNone, values = kNone, mask = kNone;
  double scale = 1;
  std::int64_t heads = 0;
  /// Rows to which the mask is expanded: 1 if it lacks only axes. 0: it is used as it is.
  std::int64_t mask_rows = 0;
};

class AttentionMatcher {
 public:
  explicit AttentionMatcher(const Resolved& resolved)
      : resolved_(resolved), model_(resolved.model()) {}

  std::optional<Attention> match(NodeId root) {
    if (!is(model_, root, "MatMul") || only_output(model_, root) == kNone) return std::nullopt;
    const NodeId softmax = producer(model_, input(root, 0), "Softmax");
    if (softmax == kNone || !over_last_axis(softmax)) return std::nullopt;
    Attention out{.nodes = {root, softmax}, .root = root, .values = input(root, 1)};
    if (!scores(input(softmax, 0), out)) {
      const NodeId add = producer(model_, input(softmax, 0), "Add");
      if (add == kNone) return std::nullopt;
      out.nodes.push_back(add);
      const std::size_t at = scores(input(add, 0), out) ? 0 : 1;
      if (at == 1 && !scores(input(add, 1), out)) return std::nullopt;
      out.mask = input(add, 1 - at);
      if (out.mask == kNone) return std::nullopt;
    }
    make_ascending(out.nodes);
    if (!(out.scale > 0) || !std::isfinite(out.scale) || !sizes(out) ||
        !closed(model_, out.nodes, root))
      return std::nullopt;
    return out;
  }

 private:
  ValueId input(NodeId n, std::size_t i) const { return rewrite::input(model_, n, i); }

  bool over_last_axis(NodeId softmax) const {
    // Before version 13, the axes behind the default, axis 1, are one.
    const std::int64_t fallback = model_.kind(softmax).opset >= 13 ? -1 : 1;
    const std::int64_t axis = integer(model_.node(softmax), "axis", fallback);
    return axis == -1 || axis == 3;
  }

  /// Matches Q K^T, scaled or not.
  bool scores(ValueId v, Attention& out) const {
    Attention found = out;
    const ValueId product = unscaled(v, found);
    const NodeId n = producer(model_, product, "MatMul");
    if (n == kNone) return false;
    found.nodes.push_back(n);
    found.queries = unscaled(input(n, 0), found);
    found.keys_transposed = unscaled(input(n, 1), found);
    if (found.queries == kNone || found.keys_transposed == kNone) return false;
    out = std::move(found);
    return true;
  }

  /// The tensor that a Mul or Div multiplies by a number, if nothing else reads the product; else
  /// the value itself.
  ValueId unscaled(ValueId v, Attention& out) const {
    if (v == kNone || only_reader(model_, v) == kNone) return v;
    for (const std::string_view op : {"Mul", "Div"}) {
      const NodeId n = producer(model_, v, op);
      if (n == kNone) continue;
      for (const std::size_t i : {1U, 0U}) {
        const std::optional<double> factor = scalar_of(resolved_, input(n, i));
        const ValueId x = input(n, 1 - i);
        if (!factor || x == kNone || (op == "Div" && i == 0) ||
            !ops::same_shape(resolved_.type(x).shape, resolved_.type(v).shape))
          continue;
        out.scale *= op == "Div" ? 1 / *factor : *factor;
        out.nodes.push_back(n);
        return x;
      }
    }
    return v;
  }

  bool is_tensor(ValueId v) const {
    const ops::Type& type = resolved_.type(v);
    return type.dtype == onnx::DataType::kFloat && type.shape.rank == 4;
  }
  ops::Dim size(ValueId v, std::size_t axis) const { return resolved_.type(v).shape[axis]; }

  bool sizes(Attention& out) {
    const ValueId q = out.queries, k = out.keys_transposed, v = out.values;
    if (v == kNone || !is_tensor(q) || !is_tensor(k) || !is_tensor(v)) return false;
    for (const std::size_t i : {0U, 1U})
      if (!size(q, i).same(size(k, i)) || !size(q, i).same(size(v, i))) return false;
    if (!size(q, 3).same(size(k, 2)) || !size(v, 2).same(size(k, 3)) ||
        !size(v, 3).same(size(q, 3)))
      return false;
    const ops::Dim heads = size(q, 1);
    if (!heads.known() || heads.value() < 1) return false;
    out.heads = heads.value();
    return out.mask == kNone || fits_mask(out);
  }

  /// A mask of the shape [batch or 1, heads or 1, queries, keys] is used as it is. One that has
  /// fewer axes, or one row for all queries, is expanded.
  bool fits_mask(Attention& out) {
    const ops::Type& type = resolved_.type(out.mask);
    const ops::Shape& shape = type.shape;
    const ValueId q = out.queries;
    const ops::Dim want[] = {size(q, 0), size(q, 1), size(q, 2), size(out.keys_transposed, 3)};
    if (type.dtype != onnx::DataType::kFloat || shape.rank < 1 || shape.rank > 4) return false;
    for (std::int32_t i = 1; i <= shape.rank; ++i) {
      const ops::Dim d = shape[static_cast<std::size_t>(shape.rank - i)];
      if (!d.same(want[4 - i]) && (i == 1 || !d.is(1))) return false;
    }
    if (shape.rank >= 2 && shape[static_cast<std::size_t>(shape.rank - 2)].same(want[2])) {
      out.mask_rows = shape.rank == 4 ? 0 : 1;
      return true;
    }
    out.mask_rows = want[2].known() ? want[2].value() : 0;
    return out.mask_rows > 0;
  }

  const Resolved& resolved_;
  const graph::Model& model_;
};

std::vector<Site> find_attention(const Resolved& resolved) {
  std::vector<Site> sites;
  for (const NodeId n : resolved.model().main().order)
    if (const std::optional<Attention> found = AttentionMatcher(resolved).match(n))
      sites.push_back({found->nodes, kNone, found->root});
  return sites;
}

/// Adds the nodes in place of an attention.
class AttentionWriter {
 public:
  AttentionWriter(const Resolved& resolved, const Attention& attention, Draft& draft)
      : model_(resolved.model()), a_(attention), draft_(draft) {}

  void write() {
    const std::string_view q = joined(queries());
    const auto [k, v] = keys_and_values();
    std::vector<std::string_view> inputs = {q, k, v};
    if (a_.mask != kNone) inputs.insert(inputs.end(), {"", "", mask()});
    for (const NodeId n : a_.nodes) draft_.remove(n);
    draft_.import(kDomain, 1);
    const std::string_view joint =
        add({.op_type = "MultiHeadAttention",
             .inputs = std::move(inputs),
             .outputs = {draft_.fresh("MultiHeadAttention")},
             .attributes = {int_attribute("num_heads", a_.heads),
                            float_attribute("scale", static_cast<float>(a_.scale))},
             .domain = kDomain});
    const std::int64_t split[] = {0, 0, a_.heads, -1};
    add({.op_type = "Transpose",
         .inputs = {reshape(joint, split)},
         .outputs = {draft_.name(model_.outputs(a_.root)[0])},
         .attributes = {ints_attribute("perm", kSwapHeads)}});
  }

 private:
  static constexpr std::string_view kDomain = "com.microsoft";

  std::string_view add(const Draft::NewNode& node) {
    draft_.add(a_.root, node, a_.nodes);
    return node.outputs[0];
  }

  std::string_view reshape(std::string_view x, std::span<const std::int64_t> shape) {
    return add({.op_type = "Reshape",
                .inputs = {x, draft_.integers(shape)},
                .outputs = {draft_.fresh("Reshape")}});
  }

  /// A tensor with its axes in another order.
  struct Arranged {
    ValueId tensor = kNone;
    Permutation order = {};

    bool as_it_is() const { return order == Permutation{0, 1, 2, 3}; }
  };

  // Example: K^T is Transpose(s) with the permutation (0, 2, 3, 1), and `to` is (0, 3, 1, 2). Both
  // together are (0, 1, 2, 3): s as it is.
  Arranged arranged(ValueId v, Permutation to) const {
    const NodeId n = producer(model_, v, "Transpose");
    const onnx::Attribute* perm = n == kNone ? nullptr : graph::attribute(model_.node(n), "perm");
    if (perm == nullptr || perm->ints.size() != to.size()) return {v, to};
    for (std::int64_t& axis : to) axis = perm->ints[static_cast<std::size_t>(axis)];
    return {model_.inputs(n)[0], to};
  }
  Arranged queries() const { return arranged(a_.queries, kSwapHeads); }

  std::string_view name(const Arranged& a) {
    if (a.as_it_is()) return draft_.name(a.tensor);
    return add({.op_type = "Transpose",
                .inputs = {draft_.name(a.tensor)},
                .outputs = {draft_.fresh("Transpose")},
                .attributes = {ints_attribute("perm", a.order)}});
  }

  /// [batch, sequence, heads, size] as [batch, sequence, heads * size].
  std::string_view joined(const Arranged& a) {
    constexpr std::int64_t kJoined[] = {0, 0, -1};
    return reshape(name(a), kJoined);
  }

  /// Both like the queries, if the model has them so; else both as [batch, heads, sequence, size],
  /// which a cache is.
  std::pair<std::string_view, std::string_view> keys_and_values() {
    const Arranged k = arranged(a_.keys_transposed, kRestoreKeys);
    const Arranged v = arranged(a_.values, kSwapHeads);
    if (k.as_it_is() && v.as_it_is()) return {joined(k), joined(v)};
    return {name(arranged(a_.keys_transposed, kSwapSizes)), draft_.name(a_.values)};
  }

  std::string_view mask() {
    const std::string_view given = draft_.name(a_.mask);
    if (a_.mask_rows == 0) return given;
    const std::int64_t shape[] = {1, 1, a_.mask_rows, 1};
    return add({.op_type = "Expand",
                .inputs = {given, draft_.integers(shape)},
                .outputs = {draft_.fresh("Expand")}});
  }

  const graph::Model& model_;
  const Attention& a_;
  Draft& draft_;
};

void edit_attention(const Resolved& resolved, const Site& site, Draft& draft) {
  const std::optional<Attention> found = AttentionMatcher(resolved).match(site.at);
  AttentionWriter(resolved, *found, draft).write();
}

}  // namespace

std::span<const Rule> attention_rules() {
  static const std::array<Rule, 1> kRules = {
      Rule{.name = "attention",
           .kind = "unfused_pattern",
           .what = "attention is spelled out in a form that the runtime does not fuse",
           .how = "use the operator com.microsoft.MultiHeadAttention of ONNX Runtime",
           .places = find_attention,
           .edit = edit_attention,
           .runtime = "ONNX Runtime",
           .only_if_predicted = true}};
  return kRules;
}

}  // namespace ridge::rewrite
