// SPDX-License-Identifier: Apache-2.0
#include "rewrite/constant_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "analysis/constants.h"
#include "onnx/weights.h"
#include "rewrite/nodes.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using Elements = std::vector<double>;

constexpr std::int64_t kMaxElements = 1 << 20;
constexpr int kMaxNodes = 32;  // that compute one constant
constexpr std::string_view kFoldedViews[] = {"Identity", "Reshape", "Squeeze", "Unsqueeze",
                                             "Flatten"};

/// Number of elements; -1 if it is unknown or beyond kMaxElements.
std::int64_t count(const ops::Type& type) {
  if (!type.shape.known()) return -1;
  std::int64_t out = 1;
  for (const ops::Dim d : type.shape.span()) {
    // Each factor is at most 2^20, so the product stays at most 2^40 before it is compared.
    if (d.value() > kMaxElements) return -1;
    out *= d.value();
    if (out > kMaxElements) return -1;
  }
  return out;
}

std::optional<double> unary(std::string_view op, double a) {
  if (op == "Sqrt") return std::sqrt(a);
  if (op == "Reciprocal") return 1 / a;
  if (op == "Neg") return -a;
  return std::nullopt;
}

std::optional<double> binary(std::string_view op, double a, double b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return a / b;
  if (op == "Pow") return std::pow(a, b);
  return std::nullopt;
}

class Evaluator {
 public:
  explicit Evaluator(const Resolved& resolved) : resolved_(resolved), model_(resolved.model()) {}

  std::optional<Elements> of(ValueId v) {
    if (v == kNone || !resolved_.constant(v) || ++nodes_ > kMaxNodes) return std::nullopt;
    const std::int64_t expected = count(resolved_.type(v));
    if (expected < 0 || resolved_.type(v).dtype != onnx::DataType::kFloat) return std::nullopt;
    std::optional<Elements> out = given(v);
    if (!out) out = computed(v);
    if (!out || std::ssize(*out) != expected) return std::nullopt;
    return out;
  }

 private:
  std::optional<Elements> given(ValueId v) const {
    if (const ops::Value* value = resolved_.value(v); value != nullptr && !value->reals.empty())
      return Elements(value->reals.begin(), value->reals.end());
    const onnx::Tensor* tensor = tensor_of(model_, v);
    if (tensor == nullptr) return std::nullopt;
    const std::optional<std::vector<float>> read = rewrite::weights_of(model_, *tensor);
    return read ? std::optional<Elements>(Elements(read->begin(), read->end())) : std::nullopt;
  }

  /// Operands have as many elements as the result, or one.
  std::optional<Elements> computed(ValueId v) {
    const NodeId n = model_.value(v).producer;
    if (n == kNone || !model_.kind(n).domain.empty()) return std::nullopt;
    const std::string_view op = model_.kind(n).op_type;
    const std::span<const ValueId> inputs = model_.inputs(n);
    if (inputs.empty()) return std::nullopt;
    if (std::ranges::find(kFoldedViews, op) != std::end(kFoldedViews)) return of(inputs[0]);
    if (inputs.size() > 2) return std::nullopt;
    std::optional<Elements> a = of(inputs[0]);
    if (!a) return std::nullopt;
    if (inputs.size() == 1) return each(*a, [&](double x, std::size_t) { return unary(op, x); });
    std::optional<Elements> b = of(inputs[1]);
    if (!b) return std::nullopt;
    const std::size_t size = std::max(a->size(), b->size());
    if ((a->size() != size && a->size() != 1) || (b->size() != size && b->size() != 1))
      return std::nullopt;
    if (a->size() == 1) a->resize(size, a->at(0));
    if (b->size() == 1) b->resize(size, b->at(0));
    return each(*a, [&](double x, std::size_t i) { return binary(op, x, (*b)[i]); });
  }

  template <typename Function>
  static std::optional<Elements> each(const Elements& a, const Function& function) {
    Elements out;
    out.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::optional<double> y = function(a[i], i);
      if (!y) return std::nullopt;
      out.push_back(*y);
    }
    return out;
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  int nodes_ = 0;
};

/// The decoded elements of a small constant. Resolved has them only if shapes depend on them.
const ops::Value* value_of(const Resolved& resolved, ValueId v, Arena& arena) {
  if (v == kNone || !resolved.constant(v)) return nullptr;
  if (const ops::Value* value = resolved.value(v)) return value;
  const onnx::Tensor* tensor = tensor_of(resolved.model(), v);
  if (tensor == nullptr) return nullptr;
  const Result<const ops::Value*> read =
      analysis::tensor_value(resolved.model().document(), *tensor, arena);
  return read.ok() ? *read : nullptr;
}

}  // namespace

const onnx::Tensor* tensor_of(const graph::Model& model, ValueId v) {
  const graph::Value& value = model.value(v);
  if (value.kind == graph::ValueKind::kConstant) return value.tensor;
  if (value.producer == kNone || !is(model, value.producer, "Constant")) return nullptr;
  const onnx::Attribute* a = graph::attribute(model.node(value.producer), "value");
  return a == nullptr ? nullptr : a->t;
}

std::optional<double> scalar_of(const Resolved& resolved, ValueId v) {
  Arena arena;
  const ops::Value* value = value_of(resolved, v, arena);
  if (value == nullptr) return std::nullopt;
  if (value->reals.size() == 1) return value->reals[0];
  if (value->ints.size() == 1 && value->ints[0].known())
    return static_cast<double>(value->ints[0].value());
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> integers_of(const Resolved& resolved, ValueId v) {
  Arena arena;
  const ops::Value* value = value_of(resolved, v, arena);
  if (value == nullptr || !value->reals.empty()) return std::nullopt;
  std::vector<std::int64_t> out;
  for (const ops::Dim d : value->ints) {
    if (!d.known()) return std::nullopt;
    out.push_back(d.value());
  }
  return out;
}

std::optional<std::vector<double>> reals_of(const Resolved& resolved, ValueId v) {
  return Evaluator(resolved).of(v);
}

std::optional<std::vector<float>> weights_of(const graph::Model& model,
                                             const onnx::Tensor& tensor) {
  if (tensor.type != onnx::DataType::kFloat) return std::nullopt;
  const Result<std::vector<std::byte>> bytes =
      onnx::load(model.document(), tensor, std::numeric_limits<std::int64_t>::max());
  if (!bytes.ok()) return std::nullopt;
  std::vector<float> out(bytes->size() / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), bytes->data(), out.size() * sizeof(float));
  return out;
}

}  // namespace ridge::rewrite
