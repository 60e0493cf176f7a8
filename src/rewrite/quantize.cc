// SPDX-License-Identifier: Apache-2.0
#include "rewrite/quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rewrite/nodes.h"
#include "rewrite/quantize_plan.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using Floats = std::vector<float>;

constexpr std::int64_t kMinOpset = 13;  // DequantizeLinear with an axis
/// A model with its weights inside must stay below 2 GiB, the limit of protobuf.
constexpr std::size_t kMaxWeightBytes = std::size_t{3} << 29;
constexpr onnx::DataType kActivation = onnx::DataType::kUint8;
constexpr onnx::DataType kWeight = onnx::DataType::kInt8;
constexpr onnx::DataType kBias = onnx::DataType::kInt32;

/// Constants that a product reads; kNone: it has none.
struct Constants {
  ValueId weight, bias;
  std::vector<ValueId> batch_norm;  ///< scale, bias, mean, variance; or empty
};

Constants constants_of(const graph::Model& model, const Int8Product& product) {
  Constants out{product.weight, product.bias, {}};
  if (product.batch_norm == kNone) return out;
  const std::span<const ValueId> inputs = model.inputs(product.batch_norm).subspan(1);
  out.batch_norm.assign(inputs.begin(), inputs.end());
  return out;
}

float real(const graph::Node& node, std::string_view attribute, float fallback) {
  const onnx::Attribute* a = graph::attribute(node, attribute);
  return a == nullptr ? fallback : a->f;
}

template <typename Id>
std::vector<Id> ascending(std::vector<Id> ids) {
  make_ascending(ids);
  return ids;
}

/// Weights and bias as floats, with all that is folded into them.
struct Floating {
  Floats weights, bias;  ///< no bias: empty
  ChannelAxis axis;
};

class Quantizer {
 public:
  Quantizer(const Resolved& resolved, const Ranges& ranges, const ConstantElements& constants)
      : resolved_(resolved),
        model_(resolved.model()),
        ranges_(ranges),
        constants_(constants),
        plan_(plan_int8(resolved)),
        draft_(resolved.shared_model()) {}

  Result<Rewritten> run() {
    TRY(quantizable(resolved_));
    for (const Int8Pair& pair : plan_.pairs) scales_[pair.value] = TRY(scale_of(pair));
    for (const Int8Product& product : plan_.products) TRY(add_weights(product));
    for (const Int8Pair& pair : plan_.pairs) add_pair(pair);
    for (const Int8Read& read : plan_.reads)
      draft_.set_input(read.node, read.input, beside_.at(read.value));
    return std::move(draft_).finish();
  }

 private:
  std::string quoted(ValueId v) const { return fmt::format("'{}'", draft_.name(v)); }

  Result<ActivationScale> scale_of(const Int8Pair& pair) const {
    const auto found = ranges_.find(pair.range_of);
    if (found == ranges_.end())
      return bug("no range of tensor " + quoted(pair.range_of), "rewrite::quantized");
    const Range& r = found->second;
    if (!std::isfinite(r.minimum) || !std::isfinite(r.maximum) || r.minimum > r.maximum)
      return input_error("RIDGE-REWRITE-0003",
                         fmt::format("tensor {} has no finite range: {} to {}",
                                     quoted(pair.range_of), r.minimum, r.maximum));
    return activation_scale(r);
  }

  Result<Floats> elements(ValueId constant) const {
    Floats out = TRY(constants_(constant));
    std::int64_t expected = 1;
    for (const ops::Dim& d : resolved_.type(constant).shape.span()) expected *= d.value();
    if (std::ssize(out) != expected)
      return bug(
          fmt::format("{} elements of constant {}, not {}", out.size(), quoted(constant), expected),
          "rewrite::quantized");
    return out;
  }

  ChannelAxis axis_of(const Int8Product& product) const {
    const std::span<const ops::Dim> dims = resolved_.type(product.weight).shape.span();
    ChannelAxis out;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const auto size = static_cast<std::size_t>(dims[i].value());
      if (product.channel_axis == i)
        out.channels = size;
      else
        (product.channel_axis && i < *product.channel_axis ? out.outer : out.inner) *= size;
    }
    return out;
  }

  Result<Floating> floating(const Int8Product& product) const {
    const Constants constants = constants_of(model_, product);
    Floating out{.weights = TRY(elements(constants.weight)), .bias = {}, .axis = axis_of(product)};
    if (constants.bias != kNone) out.bias = TRY(elements(constants.bias));
    if (out.bias.size() == 1) out.bias.resize(out.axis.channels, out.bias[0]);
    const graph::Node node = model_.node(product.node);
    if (node.op_type == "Gemm") fold_factors(node, out);
    if (!constants.batch_norm.empty()) TRY(fold_batch_norm(product, constants.batch_norm, out));
    const auto finite = [](float x) { return std::isfinite(x); };
    if (!std::ranges::all_of(out.weights, finite) || !std::ranges::all_of(out.bias, finite))
      return input_error(
          "RIDGE-REWRITE-0004",
          fmt::format("{} has weights that are NaN or infinite", model_.describe(product.node)));
    return out;
  }

  /// Y = alpha * A * B + beta * C.
  static void fold_factors(const graph::Node& gemm, Floating& out) {
    const float alpha = real(gemm, "alpha", 1), beta = real(gemm, "beta", 1);
    for (float& w : out.weights) w *= alpha;
    for (float& b : out.bias) b *= beta;
  }

  /// y = (x - mean) * f + shift with f = scale / sqrt(variance + epsilon) for each channel (ONNX
  /// operator BatchNormalization), so weights become w * f and the bias (b - mean) * f + shift.
  Result<void> fold_batch_norm(const Int8Product& product, std::span<const ValueId> parameters,
                               Floating& out) const {
    const Floats scale = TRY(elements(parameters[0])), shift = TRY(elements(parameters[1]));
    const Floats mean = TRY(elements(parameters[2])), variance = TRY(elements(parameters[3]));
    // Example: w = 2, b = 1; scale 3, shift 0.5, mean 4, variance + epsilon 9: f = 3 / 3 = 1, so w
    // stays 2 and b becomes (1 - 4) * 1 + 0.5 = -2.5.
    const double epsilon = real(model_.node(product.batch_norm), "epsilon", 1e-5F);
    const std::size_t channels = out.axis.channels;
    out.bias.resize(channels);
    std::vector<double> factor;
    for (std::size_t c = 0; c < channels; ++c) {
      factor.push_back(scale[c] / std::sqrt(variance[c] + epsilon));
      const double centered = static_cast<double>(out.bias[c]) - mean[c];
      out.bias[c] = static_cast<float>(centered * factor[c] + shift[c]);
    }
    for (std::size_t i = 0; i < out.weights.size(); ++i)
      out.weights[i] = static_cast<float>(out.weights[i] * factor[i / out.axis.inner % channels]);
    return {};
  }

  Result<void> add_weights(const Int8Product& product) {
    const NodeId n = product.node;
    const Floating from = TRY(floating(product));
    const float input_scale = scales_of_input(n).scale;
    const ChannelWeights weights =
        quantize_weights(from.weights, from.axis, min_scales(from.bias, input_scale));
    bytes_ += weights.elements.size();
    if (bytes_ > kMaxWeightBytes)
      return input_error("RIDGE-REWRITE-0005", "the int8 weights do not fit into a model file");
    const std::optional<std::int64_t> axis =
        product.channel_axis ? std::optional(static_cast<std::int64_t>(*product.channel_axis))
                             : std::nullopt;
    draft_.set_input(n, 1,
                     dequantized(n, kWeight, dims_of(product.weight),
                                 std::as_bytes(std::span(weights.elements)), weights.scales, axis));
    if (!from.bias.empty()) {
      const Floats scales = bias_scales(input_scale, weights.scales);
      const std::vector<std::int32_t> bias = quantize_bias(from.bias, scales);
      const std::string_view to =
          dequantized(n, kBias, {std::ssize(bias)}, std::as_bytes(std::span(bias)), scales, 0);
      if (product.bias_add == kNone)
        draft_.set_input(n, 2, to);
      else
        draft_.set_input(product.bias_add, bias_input(product), to);
    }
    constexpr std::string_view kFolded[] = {"alpha", "beta"};
    draft_.drop_attributes(n, kFolded);
    if (product.batch_norm != kNone) {
      draft_.set_output(n, 0, draft_.name(model_.outputs(product.batch_norm)[0]));
      draft_.absorb(n, product.batch_norm);
    }
    return {};
  }

  std::size_t bias_input(const Int8Product& product) const {
    return model_.inputs(product.bias_add)[0] == product.bias ? 0 : 1;
  }

  /// The numbers of the tensor that a product reads.
  const ActivationScale& scales_of_input(NodeId product) const {
    return scales_.at(source(model_.inputs(product)[0]));
  }

  /// The tensor with a pair, through nodes that pass it on.
  ValueId source(ValueId v) const {
    while (!scales_.contains(v)) v = model_.inputs(model_.value(v).producer)[0];
    return v;
  }

  std::vector<std::int64_t> dims_of(ValueId v) const {
    std::vector<std::int64_t> out;
    for (const ops::Dim& d : resolved_.type(v).shape.span()) out.push_back(d.value());
    return out;
  }

  /// Adds a constant and its DequantizeLinear before `n`; returns its name. No axis: one scale.
  std::string_view dequantized(NodeId n, onnx::DataType type, std::vector<std::int64_t> dims,
                               std::span<const std::byte> elements, const Floats& scales,
                               std::optional<std::int64_t> axis) {
    const std::string_view to = draft_.fresh(type == kWeight ? "weight" : "bias");
    std::vector<std::int64_t> channels;
    if (axis) channels.push_back(std::ssize(scales));
    const std::vector<std::byte> zeros(scales.size() *
                                       (type == kWeight ? 1 : sizeof(std::int32_t)));
    Draft::NewNode node{
        .op_type = "DequantizeLinear",
        .inputs = {draft_.constant(type, dims, elements), draft_.reals(channels, scales),
                   draft_.constant(type, channels, zeros)},
        .outputs = {to}};
    if (axis) node.attributes.push_back(int_attribute("axis", *axis));
    draft_.add_before(n, node, {n});
    return to;
  }

  void add_pair(const Int8Pair& pair) {
    const ActivationScale& numbers = scales_.at(pair.value);
    const std::string_view scale = draft_.scalar(numbers.scale);
    const std::string_view zero =
        draft_.constant(kActivation, {}, std::as_bytes(std::span(&numbers.zero, 1)));
    std::string_view from = draft_.name(pair.value), to = from;
    // With a writer, the writer's output gets another name and the pair writes the old one, so all
    // readers see the rounded tensor. Without, the pair writes a new name for the readers that want
    // int8, and the others keep the floats.
    if (pair.writer != kNone) {
      from = draft_.fresh("float");
      draft_.set_output(pair.writer, output_of(pair), from);
    } else {
      to = beside_[pair.value] = draft_.fresh("dequantized");
    }
    const std::string_view integers = draft_.fresh("quantized");
    add(pair, {.op_type = "QuantizeLinear", .inputs = {from, scale, zero}, .outputs = {integers}});
    add(pair, {.op_type = "DequantizeLinear", .inputs = {integers, scale, zero}, .outputs = {to}});
  }

  /// The writer of the result may be a product that a normalization was folded into.
  std::size_t output_of(const Int8Pair& pair) const {
    const std::span<const ValueId> outputs = model_.outputs(pair.writer);
    const auto at = std::ranges::find(outputs, pair.value);
    return at == outputs.end() ? 0 : static_cast<std::size_t>(at - outputs.begin());
  }

  /// Behind the node that writes the tensor, or before the first that reads an input of the model.
  void add(const Int8Pair& pair, const Draft::NewNode& node) {
    const NodeId writer = pair.writer != kNone ? pair.writer : model_.value(pair.value).producer;
    if (writer != kNone) return draft_.add(writer, node, {writer});
    const NodeId reader = model_.consumers(pair.value)[0];
    draft_.add_before(reader, node, {reader});
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  const Ranges& ranges_;
  const ConstantElements& constants_;
  Int8Plan plan_;
  Draft draft_;
  std::map<ValueId, ActivationScale> scales_;   // of tensors with a pair
  std::map<ValueId, std::string_view> beside_;  // name behind a pair that only some read
  std::size_t bytes_ = 0;
};

}  // namespace

Result<void> quantizable(const Resolved& resolved) {
  std::int64_t opset = 0;
  for (const onnx::OperatorSet& set : resolved.model().document().model.opsets)
    if (set.domain.empty()) opset = set.version;
  if (opset < kMinOpset)
    return input_error("RIDGE-REWRITE-0001",
                       fmt::format("an int8 copy needs opset {}, for scales by channel; the model "
                                   "has opset {}",
                                   kMinOpset, opset))
        .hint("export the model with a newer opset, or convert it");
  if (quantized_nodes(resolved).empty())
    return input_error("RIDGE-REWRITE-0002",
                       "the model has no Conv, Gemm or MatMul of float32 activations with constant "
                       "weights, so nothing would be int8");
  return {};
}

std::vector<NodeId> quantized_nodes(const Resolved& resolved) {
  std::vector<NodeId> out;
  for (const Int8Product& p : plan_int8(resolved).products) out.push_back(p.node);
  return ascending(std::move(out));
}

std::vector<ValueId> calibrated_values(const Resolved& resolved) {
  std::vector<ValueId> out;
  for (const Int8Pair& pair : plan_int8(resolved).pairs) out.push_back(pair.range_of);
  return ascending(std::move(out));
}

std::vector<ValueId> quantized_constants(const Resolved& resolved) {
  std::vector<ValueId> out;
  for (const Int8Product& p : plan_int8(resolved).products) {
    const Constants constants = constants_of(resolved.model(), p);
    out.push_back(constants.weight);
    if (constants.bias != kNone) out.push_back(constants.bias);
    out.insert(out.end(), constants.batch_norm.begin(), constants.batch_norm.end());
  }
  return ascending(std::move(out));
}

Result<Rewritten> quantized(const Resolved& resolved, const Ranges& ranges,
                            const ConstantElements& constants) {
  return Quantizer(resolved, ranges, constants).run();
}

}  // namespace ridge::rewrite
