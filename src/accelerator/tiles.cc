// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tiles.h"

namespace ridge::accelerator {
namespace {

bool is_trivial(const WindowAxis& a) { return a.size == 1 && a.filter == 1 && a.out == 1; }

/// Number of feature map rows under outputs [first, last) of one image, including rows between the
/// taps of a dilated filter.
std::int64_t rows_of_image(const WindowAxis& a, std::int64_t first, std::int64_t last) {
  std::int64_t rows = 0, end = 0;
  for (std::int64_t out = first; out < last; ++out) {
    const std::int64_t begin = out * a.stride - a.pad;
    const std::int64_t new_end = std::min(a.size, begin + (a.filter - 1) * a.dilation + 1);
    rows += std::max<std::int64_t>(0, new_end - std::max(begin, end));
    end = std::max(end, new_end);
  }
  return rows;
}

}  // namespace

BandShape band_shape(const Window& window) {
  std::size_t along = 0;
  while (along < 2 && is_trivial(window.axes[along])) ++along;
  BandShape out{.axis = window.axes[along], .images = window.images};
  for (std::size_t i = along + 1; i < window.axes.size(); ++i) {
    out.outputs *= window.axes[i].out;
    out.elements *= window.axes[i].size;
  }
  for (const WindowAxis& a : window.axes) out.filter_area *= a.filter;
  return out;
}

std::int64_t BandShape::rows_under(std::int64_t first, std::int64_t last) const {
  std::int64_t rows = 0;
  for (std::int64_t row = first; row < last;) {
    const std::int64_t image = row / axis.out;
    const std::int64_t end = std::min(last, (image + 1) * axis.out);
    rows += rows_of_image(axis, row - image * axis.out, end - image * axis.out);
    row = end;
  }
  return rows;
}

std::int64_t BandShape::rows_shared(std::int64_t first, std::int64_t last) const {
  const std::int64_t row = first % axis.out;
  if (row == 0 || first >= last) return 0;  // first row of an image, or an empty range
  const std::int64_t begin = std::max<std::int64_t>(0, row * axis.stride - axis.pad);
  const std::int64_t end = std::min(
      axis.size, (row - 1) * axis.stride - axis.pad + (axis.filter - 1) * axis.dilation + 1);
  return std::max<std::int64_t>(0, end - begin);
}

// Example: 3 x 3 convolution, stride 1, pad 1, of one 8 x 8 map with 1 channel: m = 64, k = 9. With
// tile.m = 32 (4 rows of outputs) and tile.k = 9 there are two bands. Band 0, under output rows
// 0..3, is rows 0..4 (row -1 is padding): 5 * 8 = 40 elements, fewer than 32 * 9. Band 1, under
// output rows 4..7, is rows 3..7: 40 elements, of which rows 3 and 4 are in band 0, so it adds
// 3 * 8 = 24. ifmap_sum is 80, ifmap_added_sum 64: the whole map, once.
Tiles::Tiles(const Gemm& g, const Tile& tile)
    : m_{g.m, tile.m}, n_{g.n, tile.n}, k_{g.k, tile.k}, products_(g.count) {
  const BandShape band = band_shape(g.window);
  const bool whole_rows = tile.m == g.m || tile.m % band.outputs == 0;
  const bool whole_channels = tile.k == g.k || tile.k % band.filter_area == 0;
  // Without any of these a band equals the matrix tile.
  const bool overlaps = band.axis.filter > 1 || band.axis.stride > 1 || band.axis.pad > 0 ||
                        band.elements != band.outputs * band.filter_area;
  if (overlaps && whole_rows && whole_channels) {
    row_elements_ = band.elements;
    area_ = band.filter_area;
    const std::int64_t rows = std::max<std::int64_t>(1, tile.m / band.outputs);
    bool was_band = false;  // a tile read in im2col form leaves no rows for the next
    for (std::int64_t i = 0; i < m_.count(); ++i) {
      const std::int64_t first = i * rows, last = std::min(first + rows, band.output_rows());
      const std::int64_t all = band.rows_under(first, last);
      const bool is_band = all * row_elements_ < m_.size(i) * area_;
      const std::int64_t shared = is_band && was_band ? band.rows_shared(first, last) : 0;
      rows_.push_back({all, all - shared});
      was_band = is_band;
    }
  }
  ifmap_sum_ = sum(&Rows::all);
  ifmap_added_sum_ = sum(&Rows::added);
  if (rows_.empty()) ifmap_most_ = m_.tile * k_.tile;
  for (std::int64_t i = 0; i < std::ssize(rows_); ++i)
    ifmap_most_ = std::max(ifmap_most_, ifmap(i, 0));
}

std::int64_t Tiles::column(std::int64_t j, std::int64_t Rows::*rows) const {
  if (rows_.empty()) return m_.length * k_.size(j);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < m_.count(); ++i) sum += elements(i, j, rows);
  return sum;
}

std::int64_t Tiles::sum(std::int64_t Rows::*rows) const {
  const std::int64_t last = k_.count() - 1;
  return last * column(0, rows) + column(last, rows);
}

}  // namespace ridge::accelerator
