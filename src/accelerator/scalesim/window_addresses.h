// SPDX-License-Identifier: Apache-2.0
// Addresses of feature map elements, by their position in the array's M x K matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "accelerator/gemm.h"

namespace ridge::accelerator {

class WindowAddresses {
 public:
  /// Addresses of the columns that meet rows of the filter that are not zero.
  explicit WindowAddresses(const Window& window, const Sparsity& sparsity = {}) : window_(window) {
    std::int64_t column = 0;
    const auto& [depth, height, width] = window.axes;
    for (std::int64_t z = 0; z < depth.filter; ++z)
      for (std::int64_t y = 0; y < height.filter; ++y)
        for (std::int64_t x = 0; x < width.filter; ++x)
          for (std::int64_t c = 0; c < window.channels; ++c, ++column)
            if (column % sparsity.of < sparsity.kept)
              columns_.push_back({z * depth.dilation, y * height.dilation, x * width.dilation, c});
    for (std::int64_t i = 0; i < window.images; ++i)
      for (std::int64_t z = 0; z < depth.out; ++z)
        for (std::int64_t y = 0; y < height.out; ++y)
          for (std::int64_t x = 0; x < width.out; ++x)
            rows_.push_back({z * depth.stride - depth.pad, y * height.stride - height.pad,
                             x * width.stride - width.pad, i});
  }

  /// Address below `Window::elements()`; -1 in the padding, past the end and in rows beyond the
  /// last position.
  std::int64_t at(std::int64_t m, std::int64_t k) const {
    if (static_cast<std::size_t>(m) >= rows_.size()) return -1;
    const Position& row = rows_[static_cast<std::size_t>(m)];
    const Position& column = columns_[static_cast<std::size_t>(k)];
    const auto& [depth, height, width] = window_.axes;
    const std::int64_t z = row.z + column.z, y = row.y + column.y, x = row.x + column.x;
    if (z < 0 || y < 0 || x < 0 || z >= depth.size || y >= height.size || x >= width.size)
      return -1;
    const std::int64_t pixel = ((row.w * depth.size + z) * height.size + y) * width.size + x;
    return pixel * window_.channels + column.w;
  }

 private:
  struct Position {
    std::int64_t z, y, x;
    std::int64_t w;  ///< image of a row, channel of a column
  };
  Window window_;
  std::vector<Position> rows_, columns_;
};

}  // namespace ridge::accelerator
