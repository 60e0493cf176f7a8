// SPDX-License-Identifier: Apache-2.0
// A second implementation of the operators that edits write and replace, in double and without any
// thought of speed, to compare a model with its edited copy.
//
//   EXPECT_LE(difference(*model.model().shared_document(), *after.document), 1e-6);
//
// Operators that it does not know, and shapes that do not broadcast, throw. Thread rule: pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "onnx/document.h"
#include "onnx/weights.h"

namespace ridge::rewrite::testing {

struct Array {
  std::vector<std::int64_t> shape;
  std::vector<double> elements;
};

inline std::int64_t product(std::span<const std::int64_t> sizes) {
  std::int64_t out = 1;
  for (const std::int64_t size : sizes) out *= size;
  return out;
}

inline Array zeros(std::vector<std::int64_t> shape) {
  Array out{std::move(shape), {}};
  out.elements.resize(static_cast<std::size_t>(product(out.shape)));
  return out;
}

/// The element at an index, whose last axes are the array's; axes of size 1 broadcast.
inline double& at(Array& a, std::span<const std::int64_t> index) {
  std::int64_t offset = 0;
  const std::size_t skip = index.size() - a.shape.size();
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    const std::int64_t j = a.shape[i] == 1 ? 0 : index[skip + i];
    if (j >= a.shape[i]) throw std::runtime_error("shapes do not broadcast");
    offset = offset * a.shape[i] + j;
  }
  return a.elements[static_cast<std::size_t>(offset)];
}

/// Calls f with every index of a shape, in order.
template <typename F>
void each_index(std::span<const std::int64_t> shape, F f) {
  std::vector<std::int64_t> index(shape.size());
  for (std::int64_t n = product(shape); n > 0; --n) {
    f(std::span<const std::int64_t>(index));
    for (std::size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

class Evaluator {
 public:
  using Arrays = std::map<std::string, Array, std::less<>>;

  Evaluator(const onnx::Document& document, Arrays inputs) : values_(std::move(inputs)) {
    const onnx::Graph& graph = document.model.graph;
    for (const onnx::Tensor& t : graph.initializers) values_.emplace(t.name, array_of(document, t));
    for (const onnx::Node& n : graph.nodes) {
      node_ = &n;
      values_[std::string(n.outputs[0].view())] = value();
    }
  }

  const Array& operator[](std::string_view name) const { return values_.find(name)->second; }

 private:
  static Array array_of(const onnx::Document& document, const onnx::Tensor& t) {
    Array out = zeros({t.dims.begin(), t.dims.end()});
    const auto bytes = onnx::load(document, t, 1 << 24);
    if (!bytes.ok()) throw std::runtime_error(bytes.error().text());
    for (std::size_t i = 0; i < out.elements.size(); ++i) {
      if (t.type == onnx::DataType::kInt64) {
        std::int64_t x = 0;
        std::copy_n(bytes->data() + i * 8, 8, reinterpret_cast<std::byte*>(&x));
        out.elements[i] = static_cast<double>(x);
      } else {
        float x = 0;
        std::copy_n(bytes->data() + i * 4, 4, reinterpret_cast<std::byte*>(&x));
        out.elements[i] = x;
      }
    }
    return out;
  }

  bool has(std::size_t i) const { return i < node_->inputs.size() && !node_->inputs[i].empty(); }
  Array input(std::size_t i) const { return values_.at(std::string(node_->inputs[i].view())); }
  const onnx::Attribute* attribute(std::string_view name) const {
    for (const onnx::Attribute& a : node_->attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
  std::int64_t integer(std::string_view name, std::int64_t fallback) const {
    const onnx::Attribute* a = attribute(name);
    return a == nullptr ? fallback : a->i;
  }
  double real(std::string_view name, double fallback) const {
    const onnx::Attribute* a = attribute(name);
    return a == nullptr ? fallback : a->f;
  }
  std::vector<std::int64_t> integers(std::string_view name, std::size_t input_index) const {
    if (const onnx::Attribute* a = attribute(name)) return {a->ints.begin(), a->ints.end()};
    std::vector<std::int64_t> out;
    if (has(input_index))
      for (const double x : input(input_index).elements)
        out.push_back(static_cast<std::int64_t>(x));
    return out;
  }

  Array value() {
    const std::string_view op = node_->op_type;
    if (op == "Add") return binary([](double a, double b) { return a + b; });
    if (op == "Sub") return binary([](double a, double b) { return a - b; });
    if (op == "Mul") return binary([](double a, double b) { return a * b; });
    if (op == "Div") return binary([](double a, double b) { return a / b; });
    if (op == "Pow") return binary([](double a, double b) { return std::pow(a, b); });
    if (op == "Sqrt") return unary([](double a) { return std::sqrt(a); });
    if (op == "Reciprocal") return unary([](double a) { return 1 / a; });
    if (op == "Relu") return unary([](double a) { return std::max(a, 0.0); });
    if (op == "Sin") return unary([](double a) { return std::sin(a); });
    if (op == "ReduceMean") return mean(input(0), integers("axes", 1));
    if (op == "LayerNormalization" || op == "RMSNormalization") return normalization();
    if (op == "BatchNormalization") return batch_normalization();
    if (op == "Conv" || op == "ConvTranspose") return convolution(op == "ConvTranspose");
    if (op == "Gemm") return gemm();
    if (op == "MatMul") return matmul(input(0), input(1));
    if (op == "Softmax") return softmax(input(0));
    if (op == "Transpose") return transposed(input(0), integers("perm", 9));
    if (op == "Reshape") return reshaped(input(0), integers("", 1));
    if (op == "Expand")
      return apply(input(0), zeros(integers("", 1)), [](double a, double) { return a; });
    if (op == "MultiHeadAttention") return attention();
    throw std::runtime_error("no value for " + std::string(op));
  }

  template <typename F>
  Array unary(F f) const {
    Array out = input(0);
    for (double& x : out.elements) x = f(x);
    return out;
  }
  template <typename F>
  Array binary(F f) const {
    return apply(input(0), input(1), f);
  }
  template <typename F>
  static Array apply(Array a, Array b, F f) {
    std::vector<std::int64_t> shape(std::max(a.shape.size(), b.shape.size()), 1);
    for (const Array* x : {&a, &b})
      for (std::size_t i = 1; i <= x->shape.size(); ++i)
        shape[shape.size() - i] = std::max(shape[shape.size() - i], x->shape[x->shape.size() - i]);
    Array out = zeros(shape);
    each_index(shape, [&](auto i) { at(out, i) = f(at(a, i), at(b, i)); });
    return out;
  }

  static Array mean(Array x, const std::vector<std::int64_t>& axes) {
    std::vector<std::int64_t> shape = x.shape;
    double count = 1;
    for (const std::int64_t axis : axes) {
      const auto i = static_cast<std::size_t>(axis < 0 ? axis + std::ssize(shape) : axis);
      count *= static_cast<double>(shape[i]);
      shape[i] = 1;
    }
    Array out = zeros(shape);
    each_index(x.shape, [&](auto i) { at(out, i) += at(x, i) / count; });
    return out;
  }

  Array normalization() const {
    const Array x = input(0);
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = integer("axis", -1); axis < 0; ++axis) axes.push_back(axis);
    const auto sub = [](double a, double b) { return a - b; };
    const auto times = [](double a, double b) { return a * b; };
    const Array y = node_->op_type.view() == "RMSNormalization" ? x : apply(x, mean(x, axes), sub);
    const double epsilon = real("epsilon", 1e-5);
    Array out = apply(y, mean(apply(y, y, times), axes),
                      [&](double a, double v) { return a / std::sqrt(v + epsilon); });
    out = apply(out, input(1), times);
    return has(2) ? apply(out, input(2), [](double a, double b) { return a + b; }) : out;
  }

  Array batch_normalization() const {
    Array x = input(0);
    const Array gamma = input(1), beta = input(2), m = input(3), v = input(4);
    each_index(x.shape, [&](auto i) {
      const auto c = static_cast<std::size_t>(i[1]);
      at(x, i) = (at(x, i) - m.elements[c]) / std::sqrt(v.elements[c] + real("epsilon", 1e-5)) *
                     gamma.elements[c] +
                 beta.elements[c];
    });
    return x;
  }

  /// Over two axes without padding. Transposed, each element of the input is spread instead.
  Array convolution(bool transposed) const {
    Array x = input(0), w = input(1);
    const std::int64_t groups = integer("group", 1);
    const std::vector<std::int64_t> s =
        attribute("strides") != nullptr ? integers("strides", 9) : std::vector<std::int64_t>{1, 1};
    const std::int64_t out_channels = transposed ? w.shape[1] * groups : w.shape[0];
    std::vector<std::int64_t> shape = {x.shape[0], out_channels, 0, 0};
    for (std::size_t i = 2; i < 4; ++i)
      shape[i] = transposed ? (x.shape[i] - 1) * s[i - 2] + w.shape[i]
                            : (x.shape[i] - w.shape[i]) / s[i - 2] + 1;
    Array out = zeros(shape);
    if (has(2))
      each_index(shape,
                 [&](auto i) { at(out, i) = input(2).elements[static_cast<std::size_t>(i[1])]; });
    // Weights [out, in / groups, ...], transposed [in, out / groups, ...].
    const std::vector<std::int64_t>& space = transposed ? x.shape : shape;
    each_index(w.shape, [&](auto k) {
      const std::int64_t group = k[0] / (w.shape[0] / groups), other = group * w.shape[1] + k[1];
      for (std::int64_t b = 0; b < x.shape[0]; ++b)
        for (std::int64_t i = 0; i < space[2]; ++i)
          for (std::int64_t j = 0; j < space[3]; ++j) {
            const std::int64_t far[] = {b, other, i * s[0] + k[2], j * s[1] + k[3]};
            const std::int64_t near[] = {b, k[0], i, j};
            if (transposed)
              at(out, far) += at(w, k) * at(x, near);
            else
              at(out, near) += at(w, k) * at(x, far);
          }
    });
    return out;
  }

  Array gemm() const {
    Array b = input(1);
    if (integer("transB", 0) != 0) b = transposed(b, {1, 0});
    Array out = matmul(input(0), b);
    for (double& x : out.elements) x *= real("alpha", 1);
    const double beta = real("beta", 1);
    return has(2) ? apply(out, input(2), [&](double x, double c) { return x + beta * c; }) : out;
  }

  static Array matmul(Array a, Array b) {
    std::vector<std::int64_t> shape = a.shape;
    shape.back() = b.shape.back();
    Array out = zeros(shape);
    std::vector<std::int64_t> ia, ib;
    each_index(shape, [&](auto i) {
      ia.assign(i.begin(), i.end()), ib = ia;
      for (std::int64_t k = 0; k < a.shape.back(); ++k) {
        ia.back() = k, ib[ib.size() - 2] = k;
        at(out, i) += at(a, ia) * at(b, ib);
      }
    });
    return out;
  }

  static Array softmax(Array x) {
    for (double& e : x.elements) e = std::exp(e);
    const std::int64_t last[] = {-1};
    const Array m = mean(x, {last[0]});
    const auto n = static_cast<double>(x.shape.back());
    return apply(x, m, [&](double a, double b) { return a / (b * n); });
  }

  static Array transposed(Array x, const std::vector<std::int64_t>& perm) {
    std::vector<std::int64_t> shape, from(perm.size());
    for (const std::int64_t axis : perm) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
    Array out = zeros(shape);
    each_index(shape, [&](auto i) {
      for (std::size_t k = 0; k < perm.size(); ++k) from[static_cast<std::size_t>(perm[k])] = i[k];
      at(out, i) = at(x, from);
    });
    return out;
  }

  static Array reshaped(Array x, std::vector<std::int64_t> shape) {
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (shape[i] == 0) shape[i] = x.shape[i];
    const auto rest = std::ranges::find(shape, -1);
    if (rest != shape.end()) *rest = product(x.shape) / -product(shape);
    x.shape = shape;
    return x;
  }

  Array attention() const {
    const std::int64_t heads = integer("num_heads", 1);
    // Keys and values may be given by head.
    const auto split = [&](std::size_t i) {
      if (input(i).shape.size() == 4) return input(i);
      return transposed(reshaped(input(i), {0, 0, heads, -1}), {0, 2, 1, 3});
    };
    Array scores = matmul(split(0), transposed(split(1), {0, 1, 3, 2}));
    for (double& x : scores.elements) x *= real("scale", 0);
    if (has(5)) scores = apply(scores, input(5), [](double a, double b) { return a + b; });
    return reshaped(transposed(matmul(softmax(scores), split(2)), {0, 2, 1, 3}), {0, 0, -1});
  }

  Arrays values_;
  const onnx::Node* node_ = nullptr;
};

/// Greatest difference of an output between two models with the same inputs, for random inputs.
inline double difference(const onnx::Document& a, const onnx::Document& b) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> draw(-2, 2);
  double out = 0;
  for (int run = 0; run < 3; ++run) {
    Evaluator::Arrays inputs;
    for (const onnx::ValueInfo& info : a.model.graph.inputs) {
      std::vector<std::int64_t> shape;
      for (const onnx::Dimension& d : info.type.shape) shape.push_back(d.value);
      Array x = zeros(shape);
      for (double& e : x.elements) e = draw(random);
      inputs.emplace(info.name, std::move(x));
    }
    const Evaluator before(a, inputs), after(b, inputs);
    for (const onnx::ValueInfo& info : a.model.graph.outputs) {
      const Array &x = before[info.name], &y = after[info.name];
      if (x.shape != y.shape) return INFINITY;
      for (std::size_t i = 0; i < x.elements.size(); ++i)
        out = std::max(out, std::abs(x.elements[i] - y.elements[i]));
    }
  }
  return out;
}

}  // namespace ridge::rewrite::testing
