// SPDX-License-Identifier: Apache-2.0
// Inner loops of Pillow's resize: sums of 8-bit values times weights of 22 fractional bits.
//
// On x86 with SSE2, two taps at a time: a weight is split into halves that fit the 16 bits of a
// multiply-add instruction (WeightPair); the sum is (sum of highs << 11) + sum of lows, equal to
// the plain sum modulo 2^32. Elsewhere plain loops. Pure; the caller vouches for the lengths.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/pillow_taps.h"

namespace ridge::pipeline {

/// Resizes one row: for each output x and channel c, clamp((2^21 + sum over taps i of
/// row[(first + i) * channels + c] * weight) >> 22). `end` is where readable memory ends. 1 <=
/// channels <= 4.
void sum_pixels(const std::uint8_t* row, const std::uint8_t* end, const PillowTaps& taps,
                int channels, std::uint8_t* out);

/// Computes row `output` of an image resized along its columns. `rows` is the first row of the
/// input, `elements` the number of values in a row.
void sum_rows(const std::uint8_t* rows, std::size_t elements, const PillowTaps& taps,
              std::size_t output, std::uint8_t* out);

}  // namespace ridge::pipeline
