// Products whose sizes are rounded up to what the units take at a time: 16x16x16 of a WMMA.
//
//   PadRule rule = TRY(parse_pad("16x*x16"));
//   Gemm g = TRY(padded(gemm, rule));    // M and K multiples of 16, N as it is
//
// The product is that of the padded sizes, and what is stored is padded, as with WMMA, whose
// fragments are loaded and stored whole:
// - the filter is K' x N', the ofmap M' x N';
// - a matrix is M' x K';
// - feature maps that a convolution reads in place have their channels padded, where K' is a whole
//   number of kernel positions; positions, strides and edges are as they were, and rows beyond the
//   last position are zeros made on the chip, no elements of the map;
// - where K' is no whole number of kernel positions (K = 147 of a 7 x 7 kernel on 3 channels
//   becomes 160), no feature map in memory has such columns: they are written out before (an
//   explicit im2col), a matrix M' x K'. What writing them out costs is not counted.
// Every one of `count` products is padded: of a depthwise convolution each filter of 9 elements to
// 16 x 16.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/gemm.h"
#include "base/result.h"

namespace ridge::accelerator {

/// Multiples; 1 leaves a size as it is.
struct PadRule {
  std::int64_t m = 1, n = 1, k = 1;

  auto operator<=>(const PadRule&) const = default;
};

/// "none", "16x16x16" (M x N x K), "16x*x16" (N as it is), "k8", "m16k8". Multiples up to 65,536.
/// Errors (usage class): anything else.
Result<PadRule> parse_pad(std::string_view text);
/// Rules with commas between them.
Result<std::vector<PadRule>> parse_pads(std::string_view text);
/// "none", "16x16x16", "16x*x16".
std::string name(const PadRule& rule);

/// Errors (input class): sizes or multiply-accumulates past 2^63 - 1.
Result<Gemm> padded(const Gemm& gemm, const PadRule& rule);

}  // namespace ridge::accelerator
