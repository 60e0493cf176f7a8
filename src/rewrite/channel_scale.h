// SPDX-License-Identifier: Apache-2.0
// Products whose result is scaled and shifted by constants of each channel, such as a convolution
// before a batch normalization.
//
//   if (const std::optional<ScaledProduct> p = match_scaled_product(resolved, conv)) ...
//
// The chain behind the product is any sequence of BatchNormalization in inference (y = gamma * (x -
// mean) / sqrt(variance + epsilon) + beta, Ioffe and Szegedy 2015, arXiv:1502.03167), Mul, Add, Sub
// and Div whose other operand is a constant of one element, or of one per channel. Together they
// are y = scale * x + shift, which is computed in double.
//
// Thread rule: pure. Cost: O(chain * channels).
#pragma once

#include <optional>
#include <vector>

#include "analysis/resolved.h"

namespace ridge::rewrite {

/// y = scale * x + shift, by channel.
struct ChannelScale {
  std::vector<double> scale, shift;
};

struct ScaledProduct {
  graph::NodeId product = graph::kNone;  ///< Conv, ConvTranspose or Gemm with constant weights
  std::vector<graph::NodeId> nodes;      ///< with the chain; ascending
  graph::NodeId last = graph::kNone;     ///< last of the chain
  std::size_t channels = 0;
  std::vector<double> bias;  ///< shift of the product, by channel; empty: it has none
  ChannelScale by;
};

/// The match that begins with `product`.
std::optional<ScaledProduct> match_scaled_product(const analysis::Resolved& resolved,
                                                  graph::NodeId product);

}  // namespace ridge::rewrite
