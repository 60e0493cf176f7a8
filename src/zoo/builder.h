// SPDX-License-Identifier: Apache-2.0
// Builds a network as an onnx::Document, with the names that PyTorch's exporter assigns.
//
//   Builder b("tiny");
//   Tensor x = b.input("input", onnx::DataType::kFloat, {"batch", 3, 224, 224}, 3);
//   {
//     auto layer = b.module("layer1");
//     x = b.relu("relu", b.conv("conv1", x, {.out = 64, .kernel = 3, .pad = 1}));
//   }   // nodes /layer1/conv1/Conv and /layer1/relu/Relu, weight layer1.conv1.weight
//   b.output("output", x, {"batch", 64, 224, 224});
//   onnx::Document doc = std::move(b).finish();
//
// Weights are recipes, each with its own seed derived from its name, so that a runtime cannot merge
// equal weights. Their variance keeps activations finite and nonzero through the depth of a network
// (He et al. 2015). Small integer constants and scalars are stored inline, once. Opset 17, IR
// version 8. Name arguments may be temporary. Not thread-safe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "onnx/document.h"

namespace ridge::zoo {

/// Value of the network under construction. `width`: channels of an image, features of a sequence,
/// 0 if irrelevant.
struct Tensor {
  std::string_view name;
  std::int64_t width = 0;
};

/// Size of an input or output: a number or a symbolic name.
struct Size {
  Size(std::int64_t number) : value(number) {}        // NOLINT(google-explicit-constructor)
  Size(const char* name) : value(-1), param(name) {}  // NOLINT(google-explicit-constructor)
  std::int64_t value;
  std::string_view param;
};

struct Attribute {
  std::string_view name;
  std::variant<std::int64_t, float, std::vector<std::int64_t>> value;
};

struct ConvOptions {
  std::int64_t out = 0;
  std::int64_t kernel = 1, stride = 1, pad = 0, groups = 1;
  std::int64_t kernel_width = -1, pad_width = -1;  ///< if they differ from the height's
  std::int64_t pad_after = 0;  ///< rows and columns padded at the end in addition
  bool bias = false;
  /// Variance of the output / mean square of the input: 2 before a ReLU, 1 without an activation.
  float gain = 2;
};

/// Treatment of a BatchNormalization directly after its convolution.
enum class BatchNorm : std::uint8_t {
  kKept,    ///< separate node, as in the original
  kFolded,  ///< folded into the convolution's weights and bias, as exporters do
};

struct PoolOptions {
  std::int64_t kernel, stride, pad = 0;
  bool ceil = false;  ///< ceil_mode: a partial last window counts
};

class Builder {
 public:
  /// `network`: name of the graph, also part of every seed.
  explicit Builder(std::string_view network, BatchNorm batch_norm = BatchNorm::kKept);
  Builder(const Builder&) = delete;

  /// Gives the weights that follow the seeds of `family` in place of the network's, so that
  /// networks of one model have the same weights under the same names.
  void share_weights(std::string_view family) { family_ = family; }

  /// Scope guard: nodes created during its lifetime belong to this submodule of the enclosing
  /// module.
  class Module {
   public:
    Module(Builder& builder, std::string_view segment) : builder_(builder) {
      builder_.path_.emplace_back(segment);
    }
    Module(const Module&) = delete;
    ~Module() { builder_.path_.pop_back(); }

   private:
    Builder& builder_;
  };
  [[nodiscard]] Module module(std::string_view segment) { return Module(*this, segment); }

  Tensor input(std::string_view name, onnx::DataType type, std::initializer_list<Size> shape,
               std::int64_t width);
  void output(std::string_view name, Tensor value, std::initializer_list<Size> shape);

  /// Adds a node to the current module, with one output of width `width` (default: the width of the
  /// first input).
  Tensor op(std::string_view op_type, std::vector<Tensor> inputs,
            const std::vector<Attribute>& attributes = {}, std::int64_t width = -1);
  /// Adds a node with several outputs of equal width.
  std::vector<Tensor> op_many(std::string_view op_type, std::vector<Tensor> inputs,
                              const std::vector<Attribute>& attributes, std::size_t outputs,
                              std::int64_t width);

  /// Adds a float32 parameter of the current module, uniform in [mean - spread, mean + spread).
  Tensor weight(std::string_view name, std::vector<std::int64_t> dims, float mean, float spread);
  /// Adds a 1-D int64 constant.
  Tensor ints(const std::vector<std::int64_t>& values);
  Tensor integer(std::int64_t value);
  /// Adds a 1-D int64 constant with an explicit name, for more values than a name should list.
  Tensor table(const std::string& name, const std::vector<std::int64_t>& values);
  Tensor scalar(float value);

  // Layers with parameters. `leaf` is the layer's own module; empty means the current module.
  Tensor conv(std::string_view leaf, Tensor x, const ConvOptions& o);
  /// The running variance is positive; `gain` is the mean of the scale.
  Tensor batch_norm(std::string_view leaf, Tensor x, float gain = 1, float epsilon = 1e-5F);
  Tensor layer_norm(std::string_view leaf, Tensor x, float epsilon);
  /// x [N, in] -> [N, out]: Gemm with a [out, in] weight.
  Tensor dense(std::string_view leaf, Tensor x, std::int64_t out);
  /// x [..., in] -> [..., out]: MatMul with an [in, out] weight, then Add of the bias, as exporters
  /// write a linear layer of rank > 2.
  Tensor linear(std::string_view leaf, Tensor x, std::int64_t out, float gain = 1);
  /// As linear(), without bias.
  Tensor product(std::string_view leaf, Tensor x, std::int64_t out, float gain = 1);
  /// ids -> [..., width] by lookup in a table [rows, width].
  Tensor embedding(std::string_view leaf, Tensor ids, std::int64_t rows, std::int64_t width);

  // Layers without parameters.
  Tensor relu(std::string_view leaf, Tensor x);
  Tensor relu6(std::string_view leaf, Tensor x);
  Tensor silu(std::string_view leaf, Tensor x);
  Tensor hard_swish(std::string_view leaf, Tensor x);
  Tensor max_pool(std::string_view leaf, Tensor x, const PoolOptions& o);
  /// Padded positions count in the average, as in PyTorch.
  Tensor average_pool(std::string_view leaf, Tensor x, const PoolOptions& o);
  Tensor global_average_pool(std::string_view leaf, Tensor x);

  Tensor add(Tensor a, Tensor b) { return op("Add", {a, b}); }
  Tensor mul(Tensor a, Tensor b) { return op("Mul", {a, b}); }
  Tensor matmul(Tensor a, Tensor b) { return op("MatMul", {a, b}, {}, b.width); }
  Tensor softmax(Tensor x) { return op("Softmax", {x}, {{"axis", -1}}); }
  Tensor transpose(Tensor x, std::vector<std::int64_t> perm) {
    return op("Transpose", {x}, {{"perm", std::move(perm)}});
  }
  /// In `shape`, 0 copies a size and -1 is inferred.
  Tensor reshape(Tensor x, const std::vector<std::int64_t>& shape, std::int64_t width) {
    return op("Reshape", {x, ints(shape)}, {}, width);
  }
  /// Concatenates along the channel axis of images.
  Tensor concat(std::vector<Tensor> parts);
  Tensor flatten(Tensor x) { return op("Flatten", {x}, {{"axis", 1}}); }
  /// Returns one size of x as a 1-D tensor with one element.
  Tensor size_of(Tensor x, std::int64_t axis);

  onnx::Document finish() &&;

 private:
  friend class Module;
  std::optional<Tensor> fold_into_conv(Tensor x);
  Tensor pool(std::string_view op_type, Tensor x, const PoolOptions& o,
              std::vector<Attribute> attributes);
  std::string scope() const;             ///< such as "/layer1/layer1.0/"
  std::string parameter_prefix() const;  ///< such as "layer1.0."
  Tensor constant(const std::string& name, onnx::DataType type, std::vector<std::int64_t> dims,
                  std::span<const std::byte> bytes);
  std::span<const onnx::Attribute> attributes(const std::vector<Attribute>& list);
  onnx::TypeInfo type(onnx::DataType element, std::span<const Size> shape);

  std::string network_, family_;
  BatchNorm batch_norm_;
  onnx::Document document_;
  std::vector<std::string> path_;
  std::vector<onnx::Node> nodes_;
  std::vector<onnx::Tensor> tensors_;
  std::vector<onnx::ValueInfo> inputs_, outputs_;
  std::unordered_map<std::string, int> used_;                    ///< number of uses, by node name
  std::unordered_map<std::string, std::string_view> constants_;  ///< by name
};

}  // namespace ridge::zoo
