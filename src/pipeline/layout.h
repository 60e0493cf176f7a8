// Images as tensors: order of the axes, and samples put together into a batch.
//
//   Tensor input = arranged(values, Layout::kNchw);      // dims 1, 3, 224, 224
//   Tensor batch = TRY(batched(std::move(samples)));     // dims 8, 3, 224, 224
//
// Images become float32 or uint8 tensors, as their values are. batched() joins tensors of four
// dimensions along the first and gives others a new first dimension. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

enum class Layout : std::uint8_t { kHwc, kChw, kNhwc, kNchw };

Tensor arranged(const Image& image, Layout layout);
Tensor arranged(const FloatImage& image, Layout layout);

/// Dims of an arranged image.
std::vector<std::int64_t> arranged_dims(std::int64_t width, std::int64_t height,
                                        std::int64_t channels, Layout layout);

/// Fails for samples whose dims or element types differ (RIDGE-PIPE-0011), and for none (0012).
Result<Tensor> batched(std::vector<Tensor> samples);

}  // namespace ridge::pipeline
