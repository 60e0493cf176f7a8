// SPDX-License-Identifier: Apache-2.0
// Matrix products whose sizes are rounded up to the multiples that the hardware processes:
// 16x16x16 for WMMA.
//
//   PadRule rule = TRY(parse_pad("16x*x16"));
//   Gemm g = TRY(padded(gemm, rule));    // M and K multiples of 16, N as it is
//
// M', N' and K' are the padded sizes. The tensors are stored padded too, as with WMMA, whose
// fragments are loaded and stored whole:
// - the filter is K' x N', the ofmap M' x N';
// - an ifmap that is a matrix is M' x K';
// - an ifmap that a convolution reads in place has its channels padded where K' is a multiple of
//   the number of kernel elements; height, width and strides stay the same. The rows that M' adds
//   to M are zeros generated on chip, not elements of the ifmap;
// - where K' is not such a multiple (K = 147 of a 7 x 7 kernel on 3 channels becomes 160), no
//   ifmap in memory has such columns: they are first written out as a matrix M' x K' (an explicit
//   im2col). The cost of writing them is not counted.
// Each of the `count` products is padded by itself: a depthwise convolution has one product per
// channel, and each filter of 9 x 1 elements becomes 16 x 16.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/gemm.h"
#include "base/result.h"

namespace ridge::accelerator {

/// Multiples to round up to; 1 leaves a size unchanged.
struct PadRule {
  std::int64_t m = 1, n = 1, k = 1;

  auto operator<=>(const PadRule&) const = default;
};

/// Parses "none", "16x16x16" (M x N x K), "16x*x16" (N unchanged), "k8", "m16k8". Multiples up to
/// 65,536. Errors (usage class): any other text.
Result<PadRule> parse_pad(std::string_view text);
/// Parses a comma-separated list of rules.
Result<std::vector<PadRule>> parse_pads(std::string_view text);
/// Returns "none", "16x16x16", "16x*x16".
std::string name(const PadRule& rule);

/// Pads the sizes of a product. Errors (input class): sizes or multiply-accumulates above 2^63 - 1.
Result<Gemm> padded(const Gemm& gemm, const PadRule& rule);

}  // namespace ridge::accelerator
