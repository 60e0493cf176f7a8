#include "accelerator/lowering.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>

#include "base/checked.h"

namespace ridge::accelerator {
namespace {

using analysis::Resolved;
using graph::Node;
using Sizes = std::vector<std::int64_t>;
using Gemms = std::vector<Gemm>;

/// One node and what its lowering asks of it. Nothing known is nullopt, which ends the lowering.
class Form {
 public:
  Form(const Resolved& r, const Node& node) : r_(r), node_(node) {}

  std::optional<Sizes> input(std::size_t i) const { return sizes(node_.inputs, i); }
  std::optional<Sizes> output(std::size_t i) const { return sizes(node_.outputs, i); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  std::int64_t integer(std::string_view name, std::int64_t fallback) const {
    const onnx::Attribute* a = graph::attribute(node_, name);
    return a == nullptr ? fallback : a->i;
  }
  std::string_view text(std::string_view name) const {
    const onnx::Attribute* a = graph::attribute(node_, name);
    return a == nullptr ? std::string_view() : a->s;
  }
  /// Element `i` of a list, the fallback where it is shorter.
  std::int64_t listed(std::string_view name, std::size_t i, std::int64_t fallback) const {
    const onnx::Attribute* a = graph::attribute(node_, name);
    return a == nullptr || i >= a->ints.size() ? fallback : a->ints[i];
  }

 private:
  std::optional<Sizes> sizes(std::span<const graph::ValueId> values, std::size_t i) const {
    if (i >= values.size() || values[i] == graph::kNone) return std::nullopt;
    const ops::Shape& shape = r_.type(values[i]).shape;
    Sizes out;
    for (const ops::Dim& d : shape.span()) {
      if (!d.known()) return std::nullopt;
      out.push_back(d.value());
    }
    return out;
  }

  const Resolved& r_;
  const Node& node_;
};

std::int64_t product(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// Axis `i` of a convolution of `spatial` axes, as ONNX describes it.
WindowAxis axis(const Form& f, const Sizes& data, const Sizes& weight, const Sizes& out,
                std::size_t i) {
  WindowAxis a{.size = data[2 + i], .filter = weight[2 + i], .out = out[2 + i]};
  a.stride = f.listed("strides", i, 1);
  a.dilation = f.listed("dilations", i, 1);
  a.pad = f.listed("pads", i, 0);
  const std::string_view automatic = f.text("auto_pad");
  if (automatic.starts_with("SAME")) {
    const std::int64_t span = (a.filter - 1) * a.dilation + 1;
    const std::int64_t all = std::max<std::int64_t>(0, (a.out - 1) * a.stride + span - a.size);
    a.pad = automatic == "SAME_LOWER" ? all - all / 2 : all / 2;
  }
  return a;
}

std::optional<Gemms> convolution(const Form& f, std::size_t weight_at) {
  const auto data = f.input(0), weight = f.input(weight_at), out = f.output(0);
  if (!data || !weight || !out || data->size() < 3 || data->size() > 5 ||
      weight->size() != data->size() || out->size() != data->size())
    return std::nullopt;
  const std::int64_t groups = f.integer("group", 1);
  if (groups < 1) return std::nullopt;
  Gemm g;
  g.count = groups;
  g.window.images = (*data)[0];
  g.window.channels = (*weight)[1];
  const std::size_t spatial = data->size() - 2;
  for (std::size_t i = 0; i < spatial; ++i)
    g.window.axes[3 - spatial + i] = axis(f, *data, *weight, *out, i);
  g.m = (*data)[0] * product(std::span(*out).subspan(2));
  g.n = (*weight)[0] / groups;
  g.k = product(std::span(*weight).subspan(1));
  return Gemms{g};
}

std::optional<Gemms> transposed_convolution(const Form& f) {
  const auto data = f.input(0), weight = f.input(1);
  if (!data || !weight || data->size() < 3 || weight->size() != data->size()) return std::nullopt;
  const std::int64_t groups = f.integer("group", 1);
  if (groups < 1) return std::nullopt;
  const std::int64_t positions = (*data)[0] * product(std::span(*data).subspan(2));
  return Gemms{matrix_product(positions, product(std::span(*weight).subspan(1)),
                              (*data)[1] / groups, groups)};
}

/// The numpy matmul of two shapes, each of which may have its last two axes swapped.
std::optional<Gemms> matmul(Sizes a, Sizes b, bool swap_a, bool swap_b) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  if (swap_a) std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (swap_b) std::swap(b[b.size() - 1], b[b.size() - 2]);
  const std::int64_t m = a[a.size() - 2], k = a.back(), n = b.back();
  const std::span outer_a(a.data(), a.size() - 2), outer_b(b.data(), b.size() - 2);
  if (product(outer_b) == 1)  // shared by the batch: one tall product
    return Gemms{matrix_product(product(outer_a) * m, n, k)};
  std::int64_t batch = 1;
  for (std::size_t i = 0; i < std::max(outer_a.size(), outer_b.size()); ++i) {
    const auto from_end = [i](std::span<const std::int64_t> s) {
      return i < s.size() ? s[s.size() - 1 - i] : std::int64_t{1};
    };
    batch *= std::max(from_end(outer_a), from_end(outer_b));
  }
  return Gemms{matrix_product(m, n, k, batch)};
}

std::optional<Gemms> product_of(const Form& f, std::size_t a, std::size_t b,
                                std::string_view swap_a, std::string_view swap_b) {
  auto first = f.input(a), second = f.input(b);
  if (!first || !second) return std::nullopt;
  return matmul(std::move(*first), std::move(*second), f.integer(swap_a, 0) != 0,
                f.integer(swap_b, 0) != 0);
}

/// LSTM, GRU, RNN: X [steps, batch, inputs], W [directions, gates x hidden, inputs].
std::optional<Gemms> recurrent(const Form& f) {
  const auto x = f.input(0), w = f.input(1);
  if (!x || !w || x->size() != 3 || w->size() != 3) return std::nullopt;
  const bool batch_first = f.integer("layout", 0) != 0;
  const std::int64_t steps = (*x)[batch_first ? 1 : 0], batch = (*x)[batch_first ? 0 : 1];
  const std::int64_t directions = (*w)[0], gates = (*w)[1], hidden = f.integer("hidden_size", 0);
  return Gemms{matrix_product(steps * batch, gates, (*x)[2], directions),
               matrix_product(batch, gates, hidden, directions * steps)};
}

using Lowering = std::optional<Gemms> (*)(const Form&);
struct Row {
  std::string_view domain, op;
  Lowering lowering;
};
constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::array kRows = {
    Row{"", "Conv", [](const Form& f) { return convolution(f, 1); }},
    Row{"", "ConvInteger", [](const Form& f) { return convolution(f, 1); }},
    Row{"", "QLinearConv", [](const Form& f) { return convolution(f, 3); }},
    Row{kMicrosoft, "FusedConv", [](const Form& f) { return convolution(f, 1); }},
    Row{"", "ConvTranspose", transposed_convolution},
    Row{"", "Gemm", [](const Form& f) { return product_of(f, 0, 1, "transA", "transB"); }},
    Row{"", "MatMul", [](const Form& f) { return product_of(f, 0, 1, "", ""); }},
    Row{"", "MatMulInteger", [](const Form& f) { return product_of(f, 0, 1, "", ""); }},
    Row{"", "QLinearMatMul", [](const Form& f) { return product_of(f, 0, 3, "", ""); }},
    Row{kMicrosoft, "FusedMatMul",
        [](const Form& f) { return product_of(f, 0, 1, "transA", "transB"); }},
    Row{kMicrosoft, "FusedGemm",
        [](const Form& f) { return product_of(f, 0, 1, "transA", "transB"); }},
    Row{"", "LSTM", recurrent},
    Row{"", "GRU", recurrent},
    Row{"", "RNN", recurrent},
};

std::optional<std::int64_t> macs_of(const Gemms& gemms) {
  std::optional<std::int64_t> sum = 0;
  for (const Gemm& g : gemms) {
    auto macs = checked_mul(g.m, g.n);
    if (macs) macs = checked_mul(*macs, g.k);
    if (macs) macs = checked_mul(*macs, g.count);
    if (!macs) return std::nullopt;
    sum = checked_add(*sum, *macs);
    if (!sum) return std::nullopt;
  }
  return sum;
}

/// The products of one execution, `repeat` times; empty where none are known whose work is `macs`.
Gemms lower_node(const Resolved& r, const Node& node, std::int64_t repeat, std::int64_t macs) {
  for (const Row& row : kRows) {
    if (row.op != node.op_type || row.domain != node.domain) continue;
    auto gemms = row.lowering(Form(r, node));
    if (!gemms) return {};
    for (Gemm& g : *gemms) g.count *= repeat;
    return macs_of(*gemms) == macs ? *gemms : Gemms();
  }
  return {};
}

}  // namespace

Lowered lower(const Resolved& resolved) {
  Lowered out;
  const graph::Model& model = resolved.model();
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n) {
    const Node node = model.node(n);
    const analysis::NodeCounts& counts = resolved.counts(n);
    const bool known = counts.macs.known();
    if (known && counts.macs.value() == 0) continue;
    Layer layer;
    layer.name = node.name;
    layer.node = n;
    layer.op_type = node.op_type;
    layer.params = counts.params;
    if (!known) {
      layer.reason = "its multiply-accumulates are not known";
      out.layers.push_back(std::move(layer));
      continue;
    }
    layer.macs = counts.macs.value();
    const ops::Dim repeat = resolved.repeat(n);
    if (repeat.known()) layer.gemms = lower_node(resolved, node, repeat.value(), layer.macs);
    if (layer.gemms.empty()) {
      layer.reason = "no products are known for this operator";
      out.without_gemms += layer.macs;
    }
    out.macs += layer.macs;
    out.layers.push_back(std::move(layer));
  }
  return out;
}

}  // namespace ridge::accelerator
