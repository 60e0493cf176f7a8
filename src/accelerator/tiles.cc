#include "accelerator/tiles.h"

namespace ridge::accelerator {
namespace {

bool is_trivial(const WindowAxis& a) { return a.size == 1 && a.filter == 1 && a.out == 1; }

/// Rows under the outputs [first, last) of one image; those between the taps of a dilated filter
/// included.
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

Tiles::Tiles(const Gemm& g, const Tile& tile) : m_{g.m, tile.m}, n_{g.n, tile.n}, k_{g.k, tile.k} {
  const BandShape band = band_shape(g.window);
  const bool whole_rows = tile.m == g.m || tile.m % band.outputs == 0;
  const bool whole_channels = tile.k == g.k || tile.k % band.filter_area == 0;
  // Without these a band is the matrix itself.
  const bool overlaps = band.axis.filter > 1 || band.axis.stride > 1 || band.axis.pad > 0 ||
                        band.elements != band.outputs * band.filter_area;
  if (overlaps && whole_rows && whole_channels) {
    row_elements_ = band.elements;
    area_ = band.filter_area;
    const std::int64_t rows = std::max<std::int64_t>(1, tile.m / band.outputs);
    for (std::int64_t i = 0; i < m_.count(); ++i)
      rows_.push_back(band.rows_under(i * rows, std::min((i + 1) * rows, band.output_rows())));
  }
  const std::int64_t last = k_.count() - 1;
  ifmap_sum_ = last * ifmap_column(0) + ifmap_column(last);
  if (rows_.empty()) ifmap_most_ = m_.tile * k_.tile;
  for (std::int64_t i = 0; i < std::ssize(rows_); ++i)
    ifmap_most_ = std::max(ifmap_most_, ifmap(i, 0));
}

std::int64_t Tiles::ifmap_column(std::int64_t j) const {
  if (rows_.empty()) return m_.length * k_.size(j);
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < m_.count(); ++i) sum += ifmap(i, j);
  return sum;
}

}  // namespace ridge::accelerator
