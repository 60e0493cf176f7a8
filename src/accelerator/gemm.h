// SPDX-License-Identifier: Apache-2.0
// The work of an accelerator: matrix products, and how a convolution becomes one.
//
// Terms used throughout this folder: an *element* is a number of a tensor, a *word* is an element
// that crosses a memory port (of any width), a *cycle* is a clock cycle of the array.
// Plain data, no ownership, no thread rule.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/words.h"

namespace ridge::accelerator {

/// Operand that stays in the array while the others stream through it.
enum class Dataflow : std::uint8_t { kOutputStationary, kWeightStationary, kInputStationary };
inline constexpr std::array kDataflows = {Dataflow::kOutputStationary, Dataflow::kWeightStationary,
                                          Dataflow::kInputStationary};
}  // namespace ridge::accelerator

namespace ridge {

template <>
struct Words<accelerator::Dataflow> {
  using E = accelerator::Dataflow;
  static constexpr std::array list{Word{E::kOutputStationary, "os"},
                                   Word{E::kWeightStationary, "ws"},
                                   Word{E::kInputStationary, "is"}};
};

}  // namespace ridge

namespace ridge::accelerator {

inline std::string_view name(Dataflow dataflow) { return word(dataflow); }

/// One value per tensor of a product: ifmap is M x K, filter is K x N, ofmap is M x N.
template <typename T>
struct PerOperand {
  T ifmap{}, filter{}, ofmap{};

  auto operator<=>(const PerOperand&) const = default;
};

/// One spatial axis of a convolution.
struct WindowAxis {
  std::int64_t size = 1;    ///< length of the feature map
  std::int64_t filter = 1;  ///< length of the filter (kernel size)
  std::int64_t out = 1;     ///< number of output positions
  std::int64_t stride = 1, dilation = 1;
  std::int64_t pad = 0;  ///< padding before the first element

  auto operator<=>(const WindowAxis&) const = default;
};

/// Describes how the M x K operand of a product is read from feature maps [images, depth, height,
/// width, channels]: row m is an output position, images outermost; column k is ((z * filter_height
/// + y) * filter_width + x) * channels + channel. Positions in the padding or past the end are not
/// elements; neither are the rows that padding.h adds beyond the last position.
struct Window {
  std::int64_t images = 1, channels = 1;
  std::array<WindowAxis, 3> axes;  ///< depth, height, width

  std::int64_t elements() const {
    return images * axes[0].size * axes[1].size * axes[2].size * channels;
  }
  auto operator<=>(const Window&) const = default;
};

/// N:M sparsity of a filter: of each block of `of` rows, the first `kept` are not zero.
struct Sparsity {
  std::int64_t kept = 1, of = 1;

  bool dense() const { return kept == of; }
  /// Rows of `depth` that are not zero.
  std::int64_t rows(std::int64_t depth) const {
    return depth / of * kept + (depth % of < kept ? depth % of : kept);
  }
  /// Index of the `i`-th of these rows.
  std::int64_t row(std::int64_t i) const { return i / kept * of + i % kept; }
  auto operator<=>(const Sparsity&) const = default;
};

/// `count` products of one shape: groups of a convolution, heads of an attention, steps of a
/// recurrence.
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t count = 1;
  Window window;
  bool in_turn = false;    ///< each product depends on the result of the previous one
  Sparsity sparsity = {};  ///< as SCALE-Sim v3 states it; k counts the zeros too

  std::int64_t macs() const { return m * n * k * count; }
  auto operator<=>(const Gemm&) const = default;
};

/// Product of plain matrices: the M x K operand is its own feature map.
Gemm matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t count = 1);

}  // namespace ridge::accelerator
