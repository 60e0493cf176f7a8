// SPDX-License-Identifier: Apache-2.0
// Layer and RMS normalizations that are spelled out.
//
//   if (const std::optional<Normalization> n = match_normalization(resolved, root)) ...
//
// Layer normalization is scale * (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) + bias (Ba,
// Kiros and Hinton 2016, arXiv:1607.06450), RMS normalization scale * x / sqrt(mean(x^2) +
// epsilon) (Zhang and Sennrich 2019, arXiv:1910.07467), with means over the last axes. The variance
// as mean(x^2) - mean(x)^2 is left out: it is not equal up to rounding.
//
// A match is a product in any order of the tensor, of the inverse root and perhaps of the scale:
//
//   Div(d, Sqrt(v))   Mul(d, Reciprocal(Sqrt(v)))   Mul(d, Div(1, Sqrt(v)))   Mul(d, Pow(v, -0.5))
//   Mul(Mul(d, Pow(v, -0.5)), scale)   Mul(d, Mul(scale, Reciprocal(Sqrt(v))))   ...
//
// Thread rule: pure. Cost: O(1).
#pragma once

#include <optional>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::rewrite {

struct Normalization {
  bool centered = false;             ///< layer normalization, else RMS normalization
  std::vector<graph::NodeId> nodes;  ///< ascending
  graph::NodeId root = graph::kNone;
  graph::ValueId x = graph::kNone;
  std::size_t axes = 0;  ///< number of last axes
  float epsilon = 0;
  /// Constant of the shape of the last axes, perhaps with ones before; kNone: there is none.
  graph::ValueId scale = graph::kNone, bias = graph::kNone;
  bool known = false;  ///< written as runtimes know it: Pow, Sqrt, Div, Mul, and Add for a bias
};

/// The normalization whose last node is `root`. Nothing else reads its inner results, and the
/// result has shape and type of x.
std::optional<Normalization> match_normalization(const analysis::Resolved& resolved,
                                                 graph::NodeId root);

}  // namespace ridge::rewrite
