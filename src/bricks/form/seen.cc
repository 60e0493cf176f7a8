// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/seen.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "attribution/names_read.h"
#include "base/hash/digest.h"
#include "bricks/form/node_view.h"
#include "bricks/form/quantization.h"
#include "bricks/form/seen_rules.h"
#include "bricks/form/seen_versions.h"

namespace ridge::bricks {
namespace {

/// Constants of more elements are written apart: which nodes share them counts, as for weights.
constexpr std::int64_t kFewElements = 16;
/// A float of so much or less, added before a Softmax, makes its results 0 or subnormal.
constexpr double kLow = -80;
/// A float nearer to 0 makes results that are not normal, with which kernels take longer.
constexpr double kTiny = 1e-30;

bool one_of(std::string_view op, auto&& names) {
  return std::ranges::find(names, op) != names.end();
}

constexpr std::array<std::string_view, 12> kExchangeable = {
    "Add", "And",  "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal",
    "Max", "Mean", "Min",        "Mul",       "Or",         "Sum"};

/// Operators that do the same with a scalar whatever its value, but for the classes below.
constexpr std::array<std::string_view, 15> kArithmetic = {
    "Add",  "Div",         "Equal", "Greater", "GreaterOrEqual",
    "Less", "LessOrEqual", "Max",   "Mean",    "Min",
    "Mul",  "PRelu",       "Sub",   "Sum",     "Where"};

/// Operators whose constants of one floating-point element are weights that happen to be small.
constexpr std::array<std::string_view, 13> kWeighted = {"BatchNormalization",
                                                        "Conv",
                                                        "ConvTranspose",
                                                        "GRU",
                                                        "Gemm",
                                                        "GroupNormalization",
                                                        "InstanceNormalization",
                                                        "LSTM",
                                                        "LayerNormalization",
                                                        "MatMul",
                                                        "RMSNormalization",
                                                        "RNN",
                                                        "LpNormalization"};

std::string dims_text(const Constant& c) {
  std::string out = std::to_string(static_cast<int>(c.type));
  for (const std::int64_t d : c.dims) out += "," + std::to_string(d);
  return out;
}

std::int64_t elements(const Constant& c) {
  std::int64_t out = 1;
  for (const std::int64_t d : c.dims) out *= d;
  return out;
}

bool floating(const Constant& c) {
  const onnx::DataTypeInfo* info = onnx::info(c.type);
  return info != nullptr && info->floating;
}

std::string class_of(double v) {
  if (v == 0) return "0";
  if (v == 1) return "1";
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  if (v <= kLow) return "low";
  return std::abs(v) < kTiny ? "tiny" : "x";
}

/// Texts that only say which part of a tensor is taken.
constexpr std::array<std::string_view, 2> kPositions = {"indices", "parts"};

/// Text of a constant at `input`, as far as it selects a kernel; "" if it is to be written apart.
std::string constant_text(const NodeView& view, std::size_t input) {
  const Constant& c = *view.constant(input);
  const std::optional<std::vector<double>> values = elements_of(c);
  const std::string type = std::to_string(static_cast<int>(c.type));
  if (is_quantization_parameter(view.op(), input) && values) {
    const std::string size = elements(c) == 1 ? "one" : dims_text(c);
    const bool zero = std::ranges::all_of(*values, [](double v) { return v == 0; });
    return "q" + type + "/" + size + (floating(c) ? "" : zero ? "/0" : "/x");
  }
  if (elements(c) == 1 && values && values->size() == 1) {
    if (one_of(view.op(), kArithmetic) && (floating(c) || view.op() != "Equal"))
      return "s" + type + "/" + class_of((*values)[0]);
    if (floating(c) && one_of(view.op(), kWeighted)) return "w" + dims_text(c);
  }
  if (elements(c) > kFewElements) return {};
  Digest digest;
  digest.add(std::string_view(reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()));
  return "c" + dims_text(c) + "=" + digest.hex();
}

/// Names that the bodies of a node read, in the order of the names of its attributes.
void add_bodies(const Network& network, const onnx::Node& node, std::vector<SeenInput>& out) {
  std::vector<onnx::Attribute> sorted(node.attributes.begin(), node.attributes.end());
  std::ranges::sort(sorted, {}, &onnx::Attribute::name);
  std::uint64_t place = node.inputs.size();
  for (const onnx::Attribute& a : sorted) {
    onnx::Node bodies;
    bodies.attributes = std::span<const onnx::Attribute>(&a, 1);
    attribution::each_name_read(bodies, [&](std::string_view read) {
      out.push_back({place++, origin(network, read)});
    });
  }
}

void put(std::string& text, std::string_view part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

}  // namespace

Seen seen_of(const Network& network, const onnx::Node& node, const Constants& constants) {
  NodeView view(network, node, constants);
  const std::string_view domain = onnx::normal_domain(node.domain);
  apply_rule(view);
  Seen out;
  put(out.text, domain);
  put(out.text, node.op_type);
  put(out.text, std::to_string(meaning_version(domain, node.op_type, view.opset())));
  out.like = out.text;
  for (const auto& [name, text] : view.texts()) {
    put(out.text, name);
    put(out.text, text);
    if (!one_of(name, kPositions)) put(out.like, name + "=" + text);
  }
  const bool exchangeable = domain.empty() && one_of(node.op_type, kExchangeable);
  std::vector<std::string> inlined;  // constants, with their place
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!view.has(i) || view.taken(i)) continue;
    const std::uint64_t place = exchangeable ? 0 : i;
    if (view.constant(i) != nullptr)
      if (std::string text = constant_text(view, i); !text.empty()) {
        inlined.push_back(std::to_string(place) + text);
        continue;
      }
    out.inputs.push_back({place, origin(network, node.inputs[i])});
  }
  std::ranges::sort(inlined);
  for (const std::string& text : inlined) {
    put(out.text, text);
    put(out.like, std::string_view(text).substr(0, text.find('=')));
  }
  add_bodies(network, node, out.inputs);
  return out;
}

}  // namespace ridge::bricks
