// SPDX-License-Identifier: Apache-2.0
#include "rewrite/channel_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

bool all_finite(std::span<const double> elements) {
  return std::ranges::all_of(elements, [](double x) { return std::isfinite(x); });
}

bool has_weights(const graph::Model& model, ValueId v) {
  const onnx::Tensor* tensor = v == kNone ? nullptr : tensor_of(model, v);
  return tensor != nullptr && tensor->type == onnx::DataType::kFloat &&
         tensor->storage != onnx::Storage::kNone;
}

/// The elements of a constant by channel, which is axis 1 of a tensor of that rank. It must not
/// broadcast the tensor: its shape is ones, except at that axis.
std::optional<std::vector<double>> constant_by_channel(const Resolved& resolved, ValueId v,
                                                       std::int32_t rank, std::size_t channels) {
  if (v == kNone || !resolved.constant(v)) return std::nullopt;
  const ops::Shape& shape = resolved.type(v).shape;
  if (!shape.known() || shape.rank > rank) return std::nullopt;
  const std::int32_t axis = shape.rank - rank + 1;
  for (std::int32_t i = 0; i < shape.rank; ++i) {
    const ops::Dim d = shape[static_cast<std::size_t>(i)];
    if (!d.is(1) && (i != axis || !std::cmp_equal(d.value(), channels))) return std::nullopt;
  }
  std::optional<std::vector<double>> out = reals_of(resolved, v);
  if (out && out->size() == 1) out->resize(channels, out->at(0));
  if (!out || out->size() != channels || !all_finite(*out)) return std::nullopt;
  return out;
}

class Chain {
 public:
  Chain(const Resolved& resolved, std::int32_t rank, std::size_t channels)
      : resolved_(resolved), model_(resolved.model()), rank_(rank), channels_(channels) {
    by_.scale.assign(channels, 1), by_.shift.assign(channels, 0);
  }

  /// Takes the node's effect on `x`; false if it has another.
  bool take(NodeId n, ValueId x) {
    if (only_output(model_, n) == kNone) return false;
    if (is(model_, n, "BatchNormalization")) return normalization(n, x);
    if (model_.inputs(n).size() != 2) return false;
    const bool first = input(model_, n, 0) == x;
    const auto operand = by_channel(input(model_, n, first ? 1 : 0));
    if (!operand) return false;
    for (std::size_t c = 0; c < channels_; ++c) {
      const double k = (*operand)[c];
      if (is(model_, n, "Mul")) {
        compose(c, k, 0);
      } else if (is(model_, n, "Div") && first) {
        compose(c, 1 / k, 0);
      } else if (is(model_, n, "Add")) {
        compose(c, 1, k);
      } else if (is(model_, n, "Sub")) {
        compose(c, first ? 1 : -1, first ? -k : k);
      } else {
        return false;
      }
    }
    return true;
  }

  const ChannelScale& by() const { return by_; }

 private:
  void compose(std::size_t c, double scale, double shift) {
    by_.scale[c] *= scale;
    by_.shift[c] = by_.shift[c] * scale + shift;
  }

  bool normalization(NodeId n, ValueId x) {
    const graph::Node node = model_.node(n);
    // Until version 6 an attribute tells inference from training, until 8 means may be of elements.
    const bool inference = node.opset >= 7 && integer(node, "training_mode", 0) == 0 &&
                           integer(node, "spatial", 1) == 1;
    if (!inference || node.inputs.size() != 5 || node.inputs[0] != x) return false;
    std::array<std::vector<double>, 4> p;  // gamma, beta, mean, variance
    for (std::size_t i = 0; i < p.size(); ++i) {
      std::optional<std::vector<double>> read = reals_of(resolved_, node.inputs[i + 1]);
      if (!read || read->size() != channels_) return false;
      p[i] = std::move(*read);
    }
    const onnx::Attribute* a = graph::attribute(node, "epsilon");
    const double epsilon = a == nullptr ? 1e-5F : a->f;
    for (std::size_t c = 0; c < channels_; ++c) {
      const double scale = p[0][c] / std::sqrt(p[3][c] + epsilon);
      compose(c, scale, p[1][c] - p[2][c] * scale);
    }
    return true;
  }

  std::optional<std::vector<double>> by_channel(ValueId v) const {
    return constant_by_channel(resolved_, v, rank_, channels_);
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  std::int32_t rank_;
  std::size_t channels_;
  ChannelScale by_;
};

/// Channels that the weights of a product compute; 0 if their shape is another.
std::int64_t channels_of(const graph::Model& model, NodeId product, const onnx::Tensor& weights) {
  const graph::Node node = model.node(product);
  const std::size_t rank = weights.dims.size();
  if (node.op_type == "Gemm")
    return rank != 2 ? 0 : weights.dims[integer(node, "transB", 0) != 0 ? 0 : 1];
  if (rank < 3) return 0;
  if (node.op_type == "Conv") return weights.dims[0];
  const std::int64_t groups = integer(node, "group", 1);
  return groups < 1 || weights.dims[0] % groups != 0 ? 0 : weights.dims[1] * groups;
}

}  // namespace

std::optional<ScaledProduct> match_scaled_product(const Resolved& resolved, NodeId product) {
  const graph::Model& model = resolved.model();
  if (!is(model, product, "Conv") && !is(model, product, "ConvTranspose") &&
      !is(model, product, "Gemm"))
    return std::nullopt;
  ValueId v = only_output(model, product);
  if (v == kNone || !has_weights(model, input(model, product, 1))) return std::nullopt;
  const ops::Type& type = resolved.type(v);
  if (type.shape.rank < 2 || !type.shape[1].known()) return std::nullopt;
  const std::int64_t channels = type.shape[1].value();
  const onnx::Tensor& weights = *tensor_of(model, input(model, product, 1));
  if (channels < 1 || channels_of(model, product, weights) != channels) return std::nullopt;
  ScaledProduct out{.product = product, .nodes = {product}};
  out.channels = static_cast<std::size_t>(channels);
  Chain chain(resolved, type.shape.rank, out.channels);
  for (NodeId n = only_reader(model, v); n != kNone && chain.take(n, v);
       n = only_reader(model, v)) {
    out.nodes.push_back(n);
    out.last = n;
    v = model.outputs(n)[0];
  }
  if (out.last == kNone || !all_finite(chain.by().scale) || !all_finite(chain.by().shift))
    return std::nullopt;
  if (const ValueId bias = input(model, product, 2); bias != kNone) {
    std::optional<std::vector<double>> read =
        is(model, product, "Gemm") ? constant_by_channel(resolved, bias, 2, out.channels)
                                   : reals_of(resolved, bias);
    if (!read || read->size() != out.channels) return std::nullopt;
    out.bias = std::move(*read);
  }
  make_ascending(out.nodes);
  out.by = chain.by();
  return out;
}

}  // namespace ridge::rewrite
