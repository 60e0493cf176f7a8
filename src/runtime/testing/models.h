// SPDX-License-Identifier: Apache-2.0
// Small models for tests of runtimes, as documents. Their purpose is explained where they are used.
#pragma once

#include <cstdint>
#include <string>

#include "onnx/document.h"

namespace ridge::runtime {

/// x [1, 8, 16, 16] -> Conv 16, Relu, Conv 16 + Add, Relu, MaxPool, GlobalAveragePool -> y [1, 16,
/// 1, 1]. Seeded weights.
onnx::Document conv_net();

/// x [n, n], flag bool[1]: Relu, then If (flag) {MatMul with w, Tanh} else {Neg}, then Sigmoid ->
/// y.
onnx::Document branching(std::int64_t n);

/// x [n, n]: Loop of `trips` {MatMul with itself, Tanh}, then Relu -> y.
onnx::Document looping(std::int64_t n, std::int64_t trips);

/// x [n, 1]: MatMul of w [n, n], seeded, with x -> y. ONNX Runtime does not pack left factors.
onnx::Document product(std::int64_t n);

/// x [1]: Expand to `elements` floats, Abs -> y: needs an arbitrary amount of memory.
onnx::Document expanding(std::int64_t elements);

/// One node of any operator over x float32[4] -> y.
onnx::Document single(const std::string& op_type, const std::string& domain = "");

}  // namespace ridge::runtime
