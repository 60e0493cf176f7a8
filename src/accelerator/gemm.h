// The work of an accelerator: matrix products, and how a convolution becomes one.
//
// Words of this folder, everywhere: an *element* is a number of a tensor, a *word* one that crosses
// a memory's port (of any width), a *byte* is a byte, a *cycle* is one of the array's clock.
// Plain data, no ownership, no thread rule.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::accelerator {

/// What stays in the array while the rest streams through it.
enum class Dataflow : std::uint8_t { kOutputStationary, kWeightStationary, kInputStationary };
inline constexpr std::array kDataflows = {Dataflow::kOutputStationary, Dataflow::kWeightStationary,
                                          Dataflow::kInputStationary};
/// "os", "ws", "is".
std::string_view name(Dataflow dataflow);
std::optional<Dataflow> dataflow_named(std::string_view name);

/// One figure for each tensor of a product: ifmap is M x K, filter is K x N, ofmap is M x N.
template <typename T>
struct PerOperand {
  T ifmap{}, filter{}, ofmap{};

  auto operator<=>(const PerOperand&) const = default;
};

/// One spatial axis of a convolution.
struct WindowAxis {
  std::int64_t size = 1;    ///< of the feature map
  std::int64_t filter = 1;  ///< of the filter
  std::int64_t out = 1;     ///< positions of the filter
  std::int64_t stride = 1, dilation = 1;
  std::int64_t pad = 0;  ///< before the first element

  auto operator<=>(const WindowAxis&) const = default;
};

/// How the M x K operand of a product is read from feature maps [images, depth, height, width,
/// channels]: row m is an output position, images outermost; column k is ((z * filter_height + y) *
/// filter_width + x) * channels + channel. What lies in the padding or over the end is no element,
/// nor is what rows beyond the last position would read (padding.h adds such rows).
struct Window {
  std::int64_t images = 1, channels = 1;
  std::array<WindowAxis, 3> axes;  ///< depth, height, width

  std::int64_t elements() const {
    return images * axes[0].size * axes[1].size * axes[2].size * channels;
  }
  auto operator<=>(const Window&) const = default;
};

/// `count` products of one shape: the groups of a convolution, the heads of an attention, the steps
/// of a recurrence.
struct Gemm {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t count = 1;
  Window window;
  bool in_turn = false;  ///< each product needs the result of the one before it

  std::int64_t macs() const { return m * n * k * count; }
  auto operator<=>(const Gemm&) const = default;
};

/// Of matrices that are their own feature maps.
Gemm matrix_product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t count = 1);

}  // namespace ridge::accelerator
