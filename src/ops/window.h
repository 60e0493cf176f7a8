// Sliding windows: what Conv, ConvTranspose, pooling and their quantised forms have in common.
#pragma once

#include <span>

#include "ops/rule.h"

namespace ridge::ops {

enum class AutoPad : std::uint8_t { kNotSet, kSameUpper, kSameLower, kValid };

/// Attributes of a window over `kernel.size()` spatial axes; absent ones are the defaults.
struct Window {
  std::span<const Dim> kernel;  ///< sizes; unknown where the weight's shape is
  std::span<const std::int64_t> strides, dilations;
  std::span<const std::int64_t> pads;  ///< all begins, then all ends; empty = 0
  AutoPad auto_pad = AutoPad::kNotSet;
  bool ceil = false;  ///< ceil_mode: a last window may hang over the end

  std::int64_t stride(std::size_t axis) const { return strides.empty() ? 1 : strides[axis]; }
  std::int64_t dilation(std::size_t axis) const { return dilations.empty() ? 1 : dilations[axis]; }
  std::int64_t pad_begin(std::size_t axis) const { return pads.empty() ? 0 : pads[axis]; }
  std::int64_t pad_end(std::size_t axis) const {
    return pads.empty() ? 0 : pads[axis + kernel.size()];
  }
};

/// Reads and checks the attributes. `weight` holds the kernel sizes of a weight tensor, empty where
/// there is none; the attribute kernel_shape must then be given and is used.
Result<Window> read_window(Context& c, std::span<const Dim> weight, std::size_t spatial);

/// How many positions the window takes on an input of size `in` (ONNX Conv, MaxPool).
/// An error where the kernel is larger than the padded input.
Result<Dim> positions(Context& c, const Window& w, Dim in, std::size_t axis);

}  // namespace ridge::ops
