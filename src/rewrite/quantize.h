// SPDX-License-Identifier: Apache-2.0
// An int8 copy of a model, with QuantizeLinear and DequantizeLinear around what is to be computed
// in int8 (the QDQ format). Its outputs differ from the model's: an edit to offer, not a Rule.
//
//   for (const graph::ValueId v : calibrated_values(resolved)) ...    // measure their ranges
//   const Rewritten copy = TRY(quantized(resolved, ranges, elements));
//
// Activations are uint8 with one scale and zero point per tensor, weights int8 with zero point 0
// and a scale per output channel, biases int32 with the product of both scales. The reason is what
// ONNX Runtime runs fastest on a processor: its int8 kernels take uint8 activations on x86-64
// (signed ones are converted: onnxruntime/core/optimizer/qdq_transformer/qdq_s8_to_u8.cc), where
// the instruction VPDPBUSD multiplies unsigned by signed bytes; a zero point of 0 for the weights
// saves a correction for each output; and a scale per channel costs nothing, but keeps channels
// with small weights exact. With the pairs in place it runs QLinearConv, QGemm, QLinearMatMul or
// MatMulIntegerToFloat and, between them, QLinearAdd, QLinearConcat and others, at the optimization
// levels "extended" and "all".
//
// The full range of int8 is used. With VNNI (VPDPBUSD) or Arm's dot product the sums are exact;
// older x86-64 processors add pairs of products in int16 (VPMADDUBSW), where two large ones
// saturate: see machine/int8_dot.h.
//
// quantize_plan.h chooses the nodes. These stay in float: what bodies of control flow and functions
// contain, products of two activations, a Gemm whose bias is not one row, and ConvTranspose.
//
// Thread rule: pure. Cost: O(nodes + elements of weights); the copy holds the int8 weights.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "analysis/resolved.h"
#include "rewrite/draft.h"
#include "rewrite/quantize_numbers.h"

namespace ridge::rewrite {

/// Whether there is an int8 copy. Input errors: an opset of ai.onnx below 13 (RIDGE-REWRITE-0001),
/// no node to quantize (-0002).
Result<void> quantizable(const analysis::Resolved& resolved);

/// Nodes whose multiplications become int8, ascending.
std::vector<graph::NodeId> quantized_nodes(const analysis::Resolved& resolved);

/// Activations whose ranges the edit needs, ascending.
std::vector<graph::ValueId> calibrated_values(const analysis::Resolved& resolved);

/// Weights and other constants whose elements the edit reads, ascending.
std::vector<graph::ValueId> quantized_constants(const analysis::Resolved& resolved);

using Ranges = std::unordered_map<graph::ValueId, Range>;

/// Returns the elements of a float32 constant: those that the model is run with, which may be
/// seeded.
using ConstantElements = std::function<Result<std::vector<float>>(graph::ValueId constant)>;

/// `ranges`: of calibrated_values(). Input errors: as quantizable() and `constants`; a
/// range or weights that are NaN or infinite (RIDGE-REWRITE-0003, -0004), more weights than a model
/// file holds (-0005).
Result<Rewritten> quantized(const analysis::Resolved& resolved, const Ranges& ranges,
                            const ConstantElements& constants);

}  // namespace ridge::rewrite
