// SPDX-License-Identifier: Apache-2.0
// Small pictures of tensors, for pages: what the model was shown.
//
//   const std::optional<Image> picture = thumbnail(floats, {1, 3, 224, 224}, 96);
//   if (picture) png = TRY(encode_png(*picture));
//
// A tensor is a picture if its dims, after dropping leading ones of 1, are height and width, with 1
// or 3 channels before or behind them. Its smallest value becomes black and its largest white, so
// that normalized pictures show too. Larger pictures shrink to means of their pixels. Pure
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/image.h"

namespace ridge::pipeline {

/// Picture with sides of at most `longest` pixels; nullopt for a tensor that is none, and for
/// values that are not finite.
std::optional<Image> thumbnail(std::span<const float> values, const std::vector<std::int64_t>& dims,
                               int longest);
std::optional<Image> thumbnail(std::span<const std::uint8_t> values,
                               const std::vector<std::int64_t>& dims, int longest);

/// A PNG file of an image of 1 or 3 channels. An error of libpng is a bug of ours.
Result<std::string> encode_png(const Image& image);

}  // namespace ridge::pipeline
