// SPDX-License-Identifier: Apache-2.0
// Sliding window of an operator, axis by axis, and the part of it inside the tensor.
//
//   const auto w = window_axes(resolved, node);    // nullopt: no window, or a size is unknown
//   for (const WindowAxis& a : w->axes) taps *= taps_inside(a);
//
// Tap t of window o accesses position o * stride - pad + t * dilation; positions outside [0, size)
// are padding, which is neither read nor multiplied. A transposed convolution slides its window
// over the output: `size` is the output size, `windows` the input size, and positions outside are
// cropped.
// Cost: O(windows + filter) per axis, at most millions of steps; beyond that, results cover only a
// part of the windows and stay lower bounds. Thread safety: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/bounds/touched.h"
#include "analysis/resolved.h"

namespace ridge::analysis {

struct WindowAxis {
  std::int64_t size = 1, windows = 1, filter = 1;
  std::int64_t stride = 1, dilation = 1, pad = 0;  ///< pad: positions before the first
};

/// Number of (window, tap) pairs that lie inside.
std::int64_t taps_inside(const WindowAxis& a);
/// Positions accessed by at least one tap of one window.
Runs positions_read(const WindowAxis& a);
/// Taps that lie inside for at least one window, and windows with at least one tap inside.
Runs taps_used(const WindowAxis& a);
Runs windows_used(const WindowAxis& a);

struct SlidingWindow {
  std::vector<WindowAxis> axes;  ///< spatial axes, in order
  std::size_t first = 2;         ///< axis of the data that axes[0] describes
  std::size_t channels = 1;      ///< channel axis of the data
  std::size_t weight = 0;        ///< input with the filter; 0: there is none
  bool transposed = false;
};

/// Window of a convolution or pooling (also quantized, fused, transposed or channels-last); nullopt
/// for other operators or unknown sizes.
std::optional<SlidingWindow> window_axes(const Resolved& resolved, graph::NodeId node);

}  // namespace ridge::analysis
