// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pillow_sums.h"

#include <algorithm>
#include <cstring>
#include <span>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ridge::pipeline {
namespace {

constexpr std::int32_t kHalf = 1 << (kPillowBits - 1);

std::uint8_t clipped(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kPillowBits, 0, 255));
}

/// One value, its inputs `stride` bytes apart.
std::uint8_t plain_sum(const std::uint8_t* from, std::size_t stride,
                       std::span<const std::int32_t> weights) {
  std::int32_t sum = kHalf;
  for (const std::int32_t weight : weights) {
    sum += *from * weight;
    from += stride;
  }
  return clipped(sum);
}

#ifdef __SSE2__

/// Four sums.
class Sums {
 public:
  /// `values`: in each lane of 32 bits the 16-bit values of both taps.
  void add(__m128i values, const WeightPair& weights) {
    high_ = _mm_add_epi32(high_, _mm_madd_epi16(values, in_lanes(weights.high)));
    low_ = _mm_add_epi32(low_, _mm_madd_epi16(values, in_lanes(weights.low)));
  }
  /// The sums without fraction, not clamped yet.
  __m128i whole() const {
    const __m128i sum = _mm_add_epi32(_mm_slli_epi32(high_, kLowBits), low_);
    return _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(kHalf)), kPillowBits);
  }

 private:
  static __m128i in_lanes(std::uint32_t pair) {
    return _mm_set1_epi32(static_cast<std::int32_t>(pair));
  }

  __m128i high_ = _mm_setzero_si128(), low_ = _mm_setzero_si128();
};

__m128i load_four(const std::uint8_t* from) {
  int four = 0;
  std::memcpy(&four, from, sizeof four);
  return _mm_cvtsi32_si128(four);
}

/// Clamps to 0..255 by saturation.
__m128i bytes(__m128i first, __m128i second) {
  const __m128i words = _mm_packs_epi32(first, second);
  return _mm_packus_epi16(words, words);
}

/// Eight values of an output row. The second row of the last pair is not read if it weighs nothing.
void sum_eight(const std::uint8_t* rows, std::size_t stride, std::span<const WeightPair> pairs,
               bool is_odd, std::uint8_t* out) {
  const __m128i zero = _mm_setzero_si128();
  Sums left, right;
  const auto add = [&](__m128i upper, __m128i lower, const WeightPair& pair) {
    const __m128i mixed = _mm_unpacklo_epi8(upper, lower);
    left.add(_mm_unpacklo_epi8(mixed, zero), pair);
    right.add(_mm_unpackhi_epi8(mixed, zero), pair);
  };
  const auto load = [](const std::uint8_t* from) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  };
  const std::size_t whole = pairs.size() - (is_odd ? 1 : 0);
  for (std::size_t i = 0; i < whole; ++i, rows += 2 * stride)
    add(load(rows), load(rows + stride), pairs[i]);
  if (is_odd) add(load(rows), zero, pairs.back());
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), bytes(left.whole(), right.whole()));
}

/// Three channels. Reads eight bytes from the first pixel of each pair of taps on.
void sum_three(const std::uint8_t* pixels, std::span<const WeightPair> pairs, std::uint8_t* out) {
  const __m128i zero = _mm_setzero_si128();
  Sums sums;
  for (const WeightPair& pair : pairs) {
    const __m128i mixed = _mm_unpacklo_epi8(load_four(pixels), load_four(pixels + 3));
    sums.add(_mm_unpacklo_epi8(mixed, zero), pair);
    pixels += 6;
  }
  const int four = _mm_cvtsi128_si32(bytes(sums.whole(), zero));
  std::memcpy(out, &four, 3);
}

#endif

}  // namespace

void sum_pixels(const std::uint8_t* row, const std::uint8_t* end, const PillowTaps& taps,
                int channels, std::uint8_t* out) {
  const auto stride = static_cast<std::size_t>(channels);
  for (std::size_t x = 0; x < taps.first.size(); ++x, out += stride) {
    const std::uint8_t* pixels = row + static_cast<std::size_t>(taps.first[x]) * stride;
#ifdef __SSE2__
    const std::span<const WeightPair> pairs = taps.pairs(x);
    if (channels == 3 && static_cast<std::size_t>(end - pixels) >= pairs.size() * 6 + 1) {
      sum_three(pixels, pairs, out);
      continue;
    }
#endif
    for (std::size_t c = 0; c < stride; ++c)
      out[c] = plain_sum(pixels + c, stride, taps.weights(x));
  }
}

void sum_rows(const std::uint8_t* rows, std::size_t elements, const PillowTaps& taps,
              std::size_t output, std::uint8_t* out) {
  rows += static_cast<std::size_t>(taps.first[output]) * elements;
  std::size_t i = 0;
#ifdef __SSE2__
  const bool is_odd = taps.count[output] % 2 != 0;
  for (; i + 8 <= elements; i += 8)
    sum_eight(rows + i, elements, taps.pairs(output), is_odd, out + i);
#endif
  for (; i < elements; ++i) out[i] = plain_sum(rows + i, elements, taps.weights(output));
}

}  // namespace ridge::pipeline
