// SPDX-License-Identifier: Apache-2.0
// Elements of constants that edits need: numbers, axes, and parameters by channel.
//
//   scalar_of(resolved, epsilon)        // 1e-05
//   integers_of(resolved, axes)         // {-1}
//   reals_of(resolved, deviation)       // of Sqrt(Add(variance, 1e-05)): computed here
//
// A constant is an initializer that is no input, a Constant node, or what nodes compute from such.
// std::nullopt: not constant, of another type, too large, or its file cannot be read. Thread rule:
// pure. Cost: O(elements).
#pragma once

#include <optional>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::rewrite {

/// The tensor of an initializer that is no input, or of a Constant node; else nullptr.
const onnx::Tensor* tensor_of(const graph::Model& model, graph::ValueId v);

/// The value of a constant of one element.
std::optional<double> scalar_of(const analysis::Resolved& resolved, graph::ValueId v);

/// The elements of a constant of int64 or int32.
std::optional<std::vector<std::int64_t>> integers_of(const analysis::Resolved& resolved,
                                                     graph::ValueId v);

/// The elements of a float32 constant of at most 2^20 elements, also if a few element-wise
/// operators compute it from others.
std::optional<std::vector<double>> reals_of(const analysis::Resolved& resolved, graph::ValueId v);

/// The elements of a float32 tensor of the model's file, of any size.
std::optional<std::vector<float>> weights_of(const graph::Model& model, const onnx::Tensor& tensor);

}  // namespace ridge::rewrite
