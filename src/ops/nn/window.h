// SPDX-License-Identifier: Apache-2.0
// Sliding windows, shared by Conv, ConvTranspose, pooling and their quantized forms.
#pragma once

#include <span>

#include "ops/rule.h"

namespace ridge::ops {

enum class AutoPad : std::uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

/// Attributes of a window over `kernel.size()` spatial axes; absent ones have default values.
struct Window {
  std::span<const Dim> kernel;  ///< sizes; unknown if the weight's shape is unknown
  std::span<const std::int64_t> strides, dilations;
  std::span<const std::int64_t> pads;  ///< all begins, then all ends; empty = 0
  AutoPad auto_pad = AutoPad::kNotSet;
  bool ceil = false;  ///< ceil_mode: the last window may extend beyond the end

  std::int64_t stride(std::size_t axis) const { return strides.empty() ? 1 : strides[axis]; }
  std::int64_t dilation(std::size_t axis) const { return dilations.empty() ? 1 : dilations[axis]; }
  std::int64_t pad_begin(std::size_t axis) const { return pads.empty() ? 0 : pads[axis]; }
  std::int64_t pad_end(std::size_t axis) const {
    return pads.empty() ? 0 : pads[axis + kernel.size()];
  }
};

/// Reads and checks the attributes. `weight` is the kernel size of a weight tensor; if it is empty,
/// the attribute kernel_shape is required.
Result<Window> read_window(Context& c, std::span<const Dim> weight, std::size_t spatial);

/// Number of window positions on an input of size `in` (ONNX Conv, MaxPool). Fails if the kernel is
/// larger than the padded input. Example: size 8, kernel 3, stride 2, no pads: 3, and 4 with
/// ceil_mode.
Result<Dim> positions(Context& c, const Window& w, Dim in, std::size_t axis);

}  // namespace ridge::ops
