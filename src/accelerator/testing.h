// SPDX-License-Identifier: Apache-2.0
// Random products, machines and mappings, and an element-by-element count of feature map tiles. For
// tests.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "accelerator/overlapped.h"

namespace ridge::accelerator::testing {

/// Generates sizes small enough for step-by-step simulation.
class RandomProducts {
 public:
  explicit RandomProducts(unsigned seed) : random_(seed) {}

  std::int64_t from(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }

  /// A matrix product or a convolution; `count` may be above 1.
  Gemm product() {
    const std::int64_t count = std::max<std::int64_t>(1, from(-4, 5));
    if (from(0, 1) == 0) return matrix_product(from(1, 12), from(1, 12), from(1, 12), count);
    Gemm g;
    g.count = count;
    g.window.images = from(1, 2);
    g.window.channels = from(1, 4);
    const std::int64_t axes = from(1, 3);
    for (std::int64_t i = 3 - axes; i < 3; ++i) g.window.axes[static_cast<std::size_t>(i)] = axis();
    g.m = g.window.images;
    g.k = g.window.channels;
    for (const WindowAxis& a : g.window.axes) g.m *= a.out, g.k *= a.filter;
    g.n = from(1, 8);
    return g;
  }

  Machine machine() {
    Machine m;
    m.rows = from(1, 8), m.columns = from(1, 8);
    m.widths.bits = {from(1, 3) * 4, from(1, 4) * 4, from(1, 2) * 8};
    m.widths.accumulator_bits = from(2, 4) * 8;
    m.sram.shared_bytes = std::int64_t{1} << 20;
    m.dram = {static_cast<double>(from(1, 40)) / 8, static_cast<double>(from(0, 3))};
    m.clock_mhz = 1000;
    return m;
  }

  Mapping mapping(const Gemm& g) {
    Mapping how;
    how.dataflow = kDataflows[static_cast<std::size_t>(from(0, 2))];
    how.tile = {from(1, g.m), from(1, g.n), from(1, g.k)};
    const BandShape band = band_shape(g.window);
    if (from(0, 1) == 0 && g.m % band.outputs == 0) {  // whole rows and channels: bands
      how.tile.m = band.outputs * from(1, g.m / band.outputs);
      how.tile.k = band.filter_area * from(1, g.k / band.filter_area);
    }
    how.order = kLoopOrders[static_cast<std::size_t>(from(0, 5))];
    how.keep_middle = from(0, 1) == 1;
    how.keep_outer = from(0, 1) == 1;
    how.ahead = g.count > 1 && from(0, 1) == 1;
    if (from(0, 3) == 0) {
      how.tile = {g.m, g.n, g.k};
      how.tile.products = from(1, g.count);
    }
    return how;
  }

 private:
  WindowAxis axis() {
    WindowAxis a{.size = from(1, 6), .filter = from(1, 3)};
    a.stride = from(1, 3), a.dilation = from(1, 2), a.pad = from(0, a.filter - 1);
    const std::int64_t span = (a.filter - 1) * a.dilation + 1;
    a.size = std::max(a.size, span);
    a.out = (a.size + 2 * a.pad - span) / a.stride + 1;
    return a;
  }

  std::mt19937 random_;
};

/// Ifmap elements that outputs [m0, m0 + m) read of `k` columns, by the rules of tiles.h; with
/// `before_is_there`, beyond the elements of the previous tile along M.
inline std::int64_t elements_of_tile(const Gemm& g, std::int64_t m0, std::int64_t m, std::int64_t k,
                                     const Tile& tile, bool before_is_there = false) {
  const Window& w = g.window;
  const auto trivial = [](const WindowAxis& a) { return a.size * a.filter * a.out == 1; };
  const std::size_t along = !trivial(w.axes[0]) ? 0 : !trivial(w.axes[1]) ? 1 : 2;
  std::int64_t outputs = 1, elements = 1, area = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    area *= w.axes[i].filter;
    if (i > along) outputs *= w.axes[i].out, elements *= w.axes[i].size;
  }
  const bool rows_whole = tile.m >= g.m || tile.m % outputs == 0;
  const bool channels_whole = tile.k >= g.k || tile.k % area == 0;
  if (!rows_whole || !channels_whole) return m * k;
  using Rows = std::set<std::pair<std::int64_t, std::int64_t>>;  // image and row
  const auto rows_of = [&](std::int64_t from, std::int64_t count) {
    Rows rows;
    const WindowAxis& a = w.axes[along];
    for (std::int64_t row = from / outputs; row * outputs < from + count; ++row)
      for (std::int64_t tap = 0; tap <= (a.filter - 1) * a.dilation; ++tap) {
        const std::int64_t at = row % a.out * a.stride - a.pad + tap;
        if (at >= 0 && at < a.size) rows.emplace(row / a.out, at);
      }
    return rows;
  };
  const auto is_band = [&](const Rows& rows, std::int64_t count) {
    return std::ssize(rows) * elements < count * area;
  };
  Rows rows = rows_of(m0, m);
  if (!is_band(rows, m)) return m * k;
  if (before_is_there) {
    const Rows before = rows_of(m0 - tile.m, tile.m);
    if (is_band(before, tile.m))
      std::erase_if(rows, [&](auto row) { return before.contains(row); });
  }
  return std::ssize(rows) * elements * (k / area);
}

inline std::string describe(const Gemm& g, const Machine& m, const Mapping& how) {
  return fmt::format("{} of {}x{}x{} on {}x{}, {}, tile {},{},{}, {} at a time{}, {}{}{}", g.count,
                     g.m, g.n, g.k, m.rows, m.columns, name(how.dataflow), how.tile.m, how.tile.n,
                     how.tile.k, how.tile.products, how.ahead ? ", next ahead" : "",
                     name(how.order), how.keep_middle ? ", keeps the middle" : "",
                     how.keep_outer ? ", keeps the outer" : "");
}

}  // namespace ridge::accelerator::testing
