// SPDX-License-Identifier: Apache-2.0
// The part of a model that an int8 copy computes in int8. Private to quantize.cc.
//
// A pair is QuantizeLinear and DequantizeLinear behind a tensor. A node computes in int8 if pairs
// stand before all its inputs and behind its result, which is how runtimes find it. Nodes are
// chosen so that tensors stay int8 from one product to the next, and floats are not made int8 where
// nothing gains from it:
//
// - every product (Conv, Gemm, MatMul with constant weights) reads int8. A Conv also returns int8,
//   since runtimes have no other; a Gemm or MatMul only if a product reads its result through
//   nothing but nodes that have an int8 form;
// - a node that has an int8 form joins if one of its inputs is int8 already and a product reads its
//   result through nothing but such nodes and functions of one element;
// - so does a function of one element that has none: it turns int8 into floats and these into int8;
// - a Relu or Clip that alone reads a result is part of it: the integers end where it would cut.
//   A BatchNormalization that alone reads a Conv is folded into its weights. An Add of a constant
//   row that alone reads a MatMul is its bias, which ONNX Runtime makes one Gemm of.
//
// Example: Conv -> Relu -> MaxPool -> Conv -> Softmax has pairs before the first Conv and behind
// Relu, MaxPool (with the numbers of the one before) and the second Conv.
#pragma once

#include <optional>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::rewrite {

/// Node that multiplies an activation with weights.
struct Int8Product {
  graph::NodeId node = graph::kNone;
  graph::NodeId batch_norm = graph::kNone;  ///< folded into the weights
  graph::NodeId bias_add = graph::kNone;    ///< reads the bias; kNone: the node itself does
  graph::ValueId weight = graph::kNone, bias = graph::kNone;
  /// Axis of the output channels in the weights; nullopt: one scale for all.
  std::optional<std::size_t> channel_axis;
};

/// Tensor with QuantizeLinear and DequantizeLinear behind it.
struct Int8Pair {
  graph::ValueId value = graph::kNone;
  /// The tensor whose range it has: the same, or one with the same elements.
  graph::ValueId range_of = graph::kNone;
  /// Node that writes it, if all read the pair; kNone: only `Int8Plan::reads` do, and the others
  /// read the floats.
  graph::NodeId writer = graph::kNone;
};

/// Input of a node that computes in int8 from a tensor that others read as floats.
struct Int8Read {
  graph::NodeId node = graph::kNone;
  std::size_t input = 0;
  graph::ValueId value = graph::kNone;
};

struct Int8Plan {
  std::vector<Int8Product> products;  ///< in topological order, as are the others
  std::vector<Int8Pair> pairs;
  std::vector<Int8Read> reads;
};

Int8Plan plan_int8(const analysis::Resolved& resolved);

}  // namespace ridge::rewrite
