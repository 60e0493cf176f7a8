// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_opencv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "pipeline/opencv_area.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ridge::pipeline {
namespace {

constexpr int kBits = 11;
constexpr float kOne = 1 << kBits;

/// OpenCV's inputs per output: the reciprocal of a quotient, not a quotient.
double scale_of(int inputs, int outputs) { return 1.0 / (static_cast<double>(outputs) / inputs); }

/// Weights of up to four neighbors in fixed point; `first` may lie outside the image.
template <std::size_t kTaps>
struct FixedTap {
  int first = 0;
  std::array<int, kTaps> weights{};
};

int fixed_weight(float weight) { return static_cast<int>(std::lrintf(weight * kOne)); }

enum class Positions : std::uint8_t { kCenters, kAreas };

struct Position {
  int whole = 0;
  float rest = 0;
};

Position opencv_position(int x, double scale, Positions positions) {
  if (positions == Positions::kCenters) {
    const auto at = static_cast<float>((x + 0.5) * scale - 0.5);
    const int whole = static_cast<int>(std::floor(at));
    return {whole, at - static_cast<float>(whole)};
  }
  const int whole = static_cast<int>(std::floor(x * scale));
  const auto rest = static_cast<float>((x + 1) - (whole + 1) * (1.0 / scale));
  return {whole, rest <= 0 ? 0 : rest - std::floor(rest)};
}

/// Positions outside the image are moved to its border along rows only; along columns their two
/// neighbors become the same row, with weights that are rounded separately.
enum class ResizedAxis : std::uint8_t { kRow, kColumn };

std::vector<FixedTap<2>> linear_taps(int inputs, int outputs, Positions positions,
                                     ResizedAxis axis) {
  const double scale = scale_of(inputs, outputs);
  std::vector<FixedTap<2>> taps;
  for (int x = 0; x < outputs; ++x) {
    auto [whole, rest] = opencv_position(x, scale, positions);
    if (axis == ResizedAxis::kRow && whole < 0) whole = 0, rest = 0;
    if (axis == ResizedAxis::kRow && whole >= inputs - 1) whole = inputs - 1, rest = 0;
    taps.push_back({whole, {fixed_weight(1.F - rest), fixed_weight(rest)}});
  }
  return taps;
}

std::vector<FixedTap<4>> cubic_taps(int inputs, int outputs) {
  constexpr float kA = -0.75F;
  const double scale = scale_of(inputs, outputs);
  std::vector<FixedTap<4>> taps;
  for (int x = 0; x < outputs; ++x) {
    const auto [whole, t] = opencv_position(x, scale, Positions::kCenters);
    const float a = ((kA * (t + 1) - 5 * kA) * (t + 1) + 8 * kA) * (t + 1) - 4 * kA;
    const float b = ((kA + 2) * t - (kA + 3)) * t * t + 1;
    const float c = ((kA + 2) * (1 - t) - (kA + 3)) * (1 - t) * (1 - t) + 1;
    taps.push_back(
        {whole - 1,
         {fixed_weight(a), fixed_weight(b), fixed_weight(c), fixed_weight(1.F - a - b - c)}});
  }
  return taps;
}

/// Resized rows of the image, the last few kept: an output row needs kTaps neighbors, and the next
/// one often needs the same. Sums lose `kDropped` bits.
template <std::size_t kTaps, typename Value, int kDropped>
class Rows {
 public:
  Rows(const Image& image, std::vector<FixedTap<kTaps>> taps)
      : image_(image), taps_(std::move(taps)) {
    const int last = image.width - 1, channels = image.channels;
    for (const auto& tap : taps_)
      for (std::size_t i = 0; i < kTaps; ++i)
        offsets_.push_back(std::clamp(tap.first + static_cast<int>(i), 0, last) * channels);
    for (auto& line : lines_) line.resize(taps_.size() * static_cast<std::size_t>(channels));
  }

  /// Row `y`, clamped to the image. Valid until kTaps other rows have been asked for.
  const Value* row(int y) {
    y = std::clamp(y, 0, image_.height - 1);
    const std::size_t slot = static_cast<std::size_t>(y) % kTaps;
    if (held_[slot] != y) {
      fill(image_.row(y), lines_[slot].data());
      held_[slot] = y;
    }
    return lines_[slot].data();
  }

 private:
  void fill(const std::uint8_t* from, Value* to) const {
    const int channels = image_.channels;
    const int* offset = offsets_.data();
    for (const auto& tap : taps_) {
      for (int c = 0; c < channels; ++c) {
        int sum = 0;
        for (std::size_t i = 0; i < kTaps; ++i) sum += from[offset[i] + c] * tap.weights[i];
        *to++ = static_cast<Value>(sum >> kDropped);
      }
      offset += kTaps;
    }
  }

  const Image& image_;
  std::vector<FixedTap<kTaps>> taps_;
  std::vector<int> offsets_;  ///< elements of a row where each tap's inputs begin
  std::array<std::vector<Value>, kTaps> lines_;
  std::array<int, kTaps> held_ = filled();

  static constexpr std::array<int, kTaps> filled() {
    std::array<int, kTaps> none{};
    none.fill(-1);
    return none;
  }
};

/// Both sums of an output row: ((a * upper >> 16) + (b * lower >> 16) + 2) >> 2.
void sum_lines(const std::int16_t* upper, const std::int16_t* lower, int a, int b,
               std::size_t count, std::uint8_t* out) {
  std::size_t i = 0;
#ifdef __SSE2__
  const auto load = [](const std::int16_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  const __m128i first = _mm_set1_epi16(static_cast<short>(a));
  const __m128i second = _mm_set1_epi16(static_cast<short>(b));
  for (; i + 8 <= count; i += 8) {
    const __m128i sum = _mm_add_epi16(_mm_mulhi_epi16(first, load(upper + i)),
                                      _mm_mulhi_epi16(second, load(lower + i)));
    const __m128i rounded = _mm_srai_epi16(_mm_add_epi16(sum, _mm_set1_epi16(2)), 2);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm_packus_epi16(rounded, rounded));
  }
#endif
  for (; i < count; ++i)
    out[i] = static_cast<std::uint8_t>(((a * upper[i] >> 16) + (b * lower[i] >> 16) + 2) >> 2);
}

void resize_fixed_linear(const Image& image, Positions positions, Image& out) {
  // 255 * 2^11 >> 4 fits 16 bits.
  Rows<2, std::int16_t, 4> rows(image,
                                linear_taps(image.width, out.width, positions, ResizedAxis::kRow));
  const auto taps = linear_taps(image.height, out.height, positions, ResizedAxis::kColumn);
  for (int y = 0; y < out.height; ++y) {
    const auto& tap = taps[static_cast<std::size_t>(y)];
    const std::int16_t* upper = rows.row(tap.first);
    const std::int16_t* lower = rows.row(tap.first + 1);
    sum_lines(upper, lower, tap.weights[0], tap.weights[1], out.row_elements(), out.row(y));
  }
}

/// Elements of a vector of OpenCV's baseline build (SSE); the rest of a row is computed in
/// integers.
constexpr std::size_t kLanes = 8;

void resize_cubic(const Image& image, Image& out) {
  Rows<4, int, 0> rows(image, cubic_taps(image.width, out.width));
  const auto taps = cubic_taps(image.height, out.height);
  for (int y = 0; y < out.height; ++y) {
    const auto& tap = taps[static_cast<std::size_t>(y)];
    std::array<const int*, 4> lines{};
    std::array<float, 4> weights{};
    for (std::size_t k = 0; k < 4; ++k) {
      lines[k] = rows.row(tap.first + static_cast<int>(k));
      weights[k] = static_cast<float>(tap.weights[k]) * (1.F / (kOne * kOne));
    }
    std::uint8_t* to = out.row(y);
    const std::size_t in_float = out.row_elements() / kLanes * kLanes;
    for (std::size_t i = 0; i < in_float; ++i) {
      float sum = static_cast<float>(lines[3][i]) * weights[3];
      for (std::size_t k = 3; k-- > 0;) sum = static_cast<float>(lines[k][i]) * weights[k] + sum;
      to[i] = static_cast<std::uint8_t>(std::clamp(std::lrintf(sum), 0L, 255L));
    }
    for (std::size_t i = in_float; i < out.row_elements(); ++i) {
      int sum = 1 << (2 * kBits - 1);
      for (std::size_t k = 0; k < 4; ++k) sum += lines[k][i] * tap.weights[k];
      to[i] = static_cast<std::uint8_t>(std::clamp(sum >> (2 * kBits), 0, 255));
    }
  }
}

void resize_opencv_nearest(const Image& image, Image& out) {
  const double across = scale_of(image.width, out.width);
  const double down = scale_of(image.height, out.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  std::vector<std::size_t> columns;
  for (int x = 0; x < out.width; ++x) {
    const int from = std::min(static_cast<int>(std::floor(x * across)), image.width - 1);
    columns.push_back(static_cast<std::size_t>(from) * channels);
  }
  for (int y = 0; y < out.height; ++y) {
    const std::uint8_t* row =
        image.row(std::min(static_cast<int>(std::floor(y * down)), image.height - 1));
    std::uint8_t* to = out.row(y);
    for (const std::size_t from : columns) {
      std::memcpy(to, row + from, channels);
      to += channels;
    }
  }
}

/// True where `inputs` is a whole multiple of `outputs`.
bool divides(int inputs, int outputs) { return inputs % outputs == 0; }

void resize_area(const Image& image, Image& out) {
  if (out.width > image.width || out.height > image.height)
    return resize_fixed_linear(image, Positions::kAreas, out);
  if (divides(image.width, out.width) && divides(image.height, out.height))
    return mean_of_blocks(image, out);
  mean_of_areas(image, out);
}

}  // namespace

Result<Image> resize_opencv(const Image& image, Size target, OpencvFilter filter) {
  Image out = TRY(make_raster<std::uint8_t>(target, image.channels));
  if (target == image.size()) return image;
  const bool halved = image.width == 2 * target.width && image.height == 2 * target.height;
  switch (filter) {
    case OpencvFilter::kLinear:
      if (halved)
        mean_of_blocks(image, out);
      else
        resize_fixed_linear(image, Positions::kCenters, out);
      break;
    case OpencvFilter::kNearest:
      resize_opencv_nearest(image, out);
      break;
    case OpencvFilter::kArea:
      resize_area(image, out);
      break;
    case OpencvFilter::kCubic:
      resize_cubic(image, out);
      break;
  }
  return out;
}

}  // namespace ridge::pipeline
