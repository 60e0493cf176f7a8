// The window that an operator slides, axis by axis, and what of it lies inside the tensor.
//
//   const auto w = window_axes(resolved, node);    // nullopt: none, or a size is not known
//   for (const WindowAxis& a : w->axes) taps *= taps_inside(a);
//
// Tap t of window o looks at position o * stride - pad + t * dilation; what lies outside [0, size)
// is padding, which is neither read nor multiplied. A transposed convolution slides its window over
// the output: `size` is that of the output, `windows` that of the input, and what lies outside is
// cropped.
// Cost: O(windows + filter) per axis, at most millions of steps; past that the figures are those of
// a part of the windows, so they stay lower bounds. Thread rule: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/resolved.h"
#include "analysis/touched.h"

namespace ridge::analysis {

struct WindowAxis {
  std::int64_t size = 1, windows = 1, filter = 1;
  std::int64_t stride = 1, dilation = 1, pad = 0;  ///< pad: before the first position
};

/// Pairs of a window and a tap that lie inside.
std::int64_t taps_inside(const WindowAxis& a);
/// Positions that at least one tap of one window looks at.
Runs positions_read(const WindowAxis& a);
/// Taps that lie inside for at least one window, and windows that have at least one such tap.
Runs taps_used(const WindowAxis& a);
Runs windows_used(const WindowAxis& a);

struct SlidingWindow {
  std::vector<WindowAxis> axes;  ///< the spatial ones, in order
  std::size_t first = 2;         ///< axis of the data that axes[0] is
  std::size_t channels = 1;      ///< axis of the data
  std::size_t weight = 0;        ///< the input with the filter; 0: there is none
  bool transposed = false;
};

/// Of convolutions and poolings, quantized, fused, transposed and channels-last ones too.
std::optional<SlidingWindow> window_axes(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
