// SPDX-License-Identifier: Apache-2.0
#include "pipeline/opencv_area.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge::pipeline {
namespace {

std::uint8_t rounded_pixel(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lrintf(value), 0L, 255L));
}

/// Share of input `from` in output `to`.
struct Share {
  int from, to;
  float weight;
};

/// Shares along one axis, ordered by output. Parts below a thousandth of a pixel do not count.
std::vector<Share> shares(int inputs, int outputs) {
  constexpr double kMin = 1e-3;
  const double scale = 1.0 / (static_cast<double>(outputs) / inputs);
  std::vector<Share> all;
  for (int x = 0; x < outputs; ++x) {
    const double begin = x * scale, end = begin + scale;
    const double width = std::min(scale, inputs - begin);
    const int last = std::min(static_cast<int>(std::floor(end)), inputs - 1);
    const int first = std::min(static_cast<int>(std::ceil(begin)), last);
    if (first - begin > kMin)
      all.push_back({first - 1, x, static_cast<float>((first - begin) / width)});
    for (int i = first; i < last; ++i) all.push_back({i, x, static_cast<float>(1.0 / width)});
    if (end - last > kMin)
      all.push_back(
          {last, x, static_cast<float>(std::min(std::min(end - last, 1.0), width) / width)});
  }
  return all;
}

}  // namespace

void mean_of_blocks(const Image& image, Image& out) {
  const int across = image.width / out.width, down = image.height / out.height;
  const auto channels = static_cast<std::size_t>(image.channels);
  const float scale = 1.F / static_cast<float>(across * down);
  std::vector<int> sums(out.row_elements());
  for (int y = 0; y < out.height; ++y) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int i = 0; i < down; ++i) {
      const std::uint8_t* from = image.row(y * down + i);
      for (std::size_t to = 0; to < sums.size(); to += channels)
        for (int j = 0; j < across; ++j, from += channels)
          for (std::size_t c = 0; c < channels; ++c) sums[to + c] += from[c];
    }
    std::uint8_t* to = out.row(y);
    for (const int sum : sums)
      *to++ = across == 2 && down == 2 ? static_cast<std::uint8_t>((sum + 2) >> 2)
                                       : rounded_pixel(static_cast<float>(sum) * scale);
  }
}

void mean_of_areas(const Image& image, Image& out) {
  const std::vector<Share> columns = shares(image.width, out.width);
  const std::vector<Share> rows = shares(image.height, out.height);
  const auto channels = static_cast<std::size_t>(image.channels);
  std::vector<float> line(out.row_elements()), sums(out.row_elements());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Share& row = rows[r];
    std::fill(line.begin(), line.end(), 0.F);
    const std::uint8_t* pixels = image.row(row.from);
    for (const Share& column : columns) {
      const std::uint8_t* from = pixels + static_cast<std::size_t>(column.from) * channels;
      float* to = line.data() + static_cast<std::size_t>(column.to) * channels;
      for (std::size_t c = 0; c < channels; ++c)
        to[c] += static_cast<float>(from[c]) * column.weight;
    }
    const bool first = r == 0 || rows[r - 1].to != row.to;
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = first ? row.weight * line[i] : sums[i] + row.weight * line[i];
    if (r + 1 < rows.size() && rows[r + 1].to == row.to) continue;
    std::transform(sums.begin(), sums.end(), out.row(row.to), rounded_pixel);
  }
}

}  // namespace ridge::pipeline
