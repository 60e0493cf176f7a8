// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/touched.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::analysis {
namespace {

__extension__ using Wide = __int128;

/// Axes in memory order, outermost first.
using Order = std::vector<TouchedAxis>;

/// Line count for one memory order: the innermost axis that is not whole forms rows of runs, which
/// repeat for each position of the outer axes.
///
/// Example: every 16th column of float32 [4, 64], positions 0, 16, 32, 48. A unit is 4 bytes, so
/// the runs of a row begin at bytes 0, 64, 128 and 192 and need one line each: 4 rows x 4 = 16
/// lines. With the rows whole instead (positions {0, 1} of axis 0), a unit is 256 bytes: 8 lines.
class TouchedLines {
 public:
  TouchedLines(const Order& order, Wide element_bytes) : order_(order), unit_(element_bytes) {
    while (depth_ > 0 && order_[depth_ - 1].whole()) unit_ *= order_[--depth_].size;
  }

  /// Minimum number of 64-byte windows, at arbitrary positions, that cover all accessed bytes: a
  /// lower bound on the lines for any alignment of the tensor.
  Wide fewest() {
    if (depth_ == 0) return (unit_ + kLineBytes - 1) / kLineBytes;
    const TouchedAxis& axis = order_[depth_ - 1];
    Wide rows = 1;
    for (std::size_t i = 0; i + 1 < depth_; ++i) rows *= order_[i].touched();
    if (rows * std::ssize(*axis.runs) <= kMaxSteps) {
      walk(0, 0);
      return lines_;
    }
    // The cover of a row repeats if it ends before the next row's first run; otherwise neighboring
    // rows may share a line.
    cover(0);
    const bool apart = end_ <= (axis.size + axis.runs->front().first) * unit_;
    return apart ? rows * lines_ : rows * (lines_ - 1) + 1;
  }

 private:
  static constexpr Wide kMaxSteps = 1 << 14;

  /// `at`: linear index of the position in the axes before `axis`.
  void walk(std::size_t axis, Wide at) {
    if (axis + 1 == depth_) return cover(at * order_[axis].size);
    const Runs whole = {{0, order_[axis].size}};
    for (const Run& run : order_[axis].runs ? *order_[axis].runs : whole)
      for (std::int64_t i = 0; i < run.length; ++i)
        walk(axis + 1, at * order_[axis].size + run.first + i);
  }

  /// Covers the row whose first position is `first`.
  void cover(Wide first) {
    for (const Run& run : *order_[depth_ - 1].runs) {
      const Wide begin = std::max(end_, (first + run.first) * unit_);
      const Wide end = (first + run.first + run.length) * unit_;
      if (begin >= end) continue;
      const Wide needed = (end - begin + kLineBytes - 1) / kLineBytes;
      lines_ += needed;
      end_ = begin + needed * kLineBytes;
    }
  }

  const Order& order_;
  Wide unit_;
  std::size_t depth_ = order_.size();
  Wide lines_ = 0, end_ = 0;
};

Wide lines_in(const Order& order, Wide element_bytes) {
  return TouchedLines(order, element_bytes).fewest();
}

/// Blocks that contain any of the accessed channels.
TouchedAxis blocks_of(const TouchedAxis& channels, std::int64_t block) {
  TouchedAxis out{ceil_div(channels.size, block)};
  if (channels.whole()) return out;
  std::vector<std::int64_t> blocks;
  for (const Run& run : *channels.runs)
    for (std::int64_t b = run.first / block; b <= (run.first + run.length - 1) / block; ++b)
      blocks.push_back(b);
  out.runs = runs_of(std::move(blocks));
  return out;
}

/// Order with channels innermost (`block` 0) or in blocks of `block`. In a block with accessed
/// channels, only one channel is counted.
Order with_channels_inside(std::span<const TouchedAxis> axes, std::size_t channels,
                           std::int64_t block) {
  Order out;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != channels) out.push_back(axes[i]);
    if (i == 0 && block > 0) out.push_back(blocks_of(axes[channels], block));
  }
  if (block == 0)
    out.push_back(axes[channels]);
  else
    out.push_back(axes[channels].whole() ? TouchedAxis{block} : TouchedAxis{block, Runs{{0, 1}}});
  return out;
}

Order with_channels_second(std::span<const TouchedAxis> axes, std::size_t channels) {
  Order out(axes.begin(), axes.end());
  if (channels < 2) return out;
  const auto at = out.begin() + static_cast<std::ptrdiff_t>(channels);
  std::rotate(out.begin() + 1, at, at + 1);
  return out;
}

/// Minimum over the layouts that runtimes use.
Wide min_lines(std::span<const TouchedAxis> axes, std::size_t channels, Wide element_bytes) {
  Wide least = lines_in(Order(axes.begin(), axes.end()), element_bytes);
  if (axes.size() < 3 || channels >= axes.size()) return least;
  least = std::min(least, lines_in(with_channels_second(axes, channels), element_bytes));
  least = std::min(least, lines_in(with_channels_inside(axes, channels, 0), element_bytes));
  for (const std::int64_t block : {8, 16})
    least = std::min(least, lines_in(with_channels_inside(axes, channels, block), element_bytes));
  return least;
}

}  // namespace

std::int64_t count(const Runs& runs) {
  std::int64_t n = 0;
  for (const Run& run : runs) n += run.length;
  return n;
}

Runs runs_of(std::vector<std::int64_t> positions) {
  std::ranges::sort(positions);
  Runs out;
  for (const std::int64_t p : positions) {
    if (!out.empty() && p < out.back().first + out.back().length) continue;
    if (!out.empty() && p == out.back().first + out.back().length)
      ++out.back().length;
    else
      out.push_back({p, 1});
  }
  return out;
}

Runs progression(std::int64_t first, std::int64_t step, std::int64_t positions) {
  if (positions < 1) return {};
  if (step == 1) return {{first, positions}};
  Runs out;
  for (std::int64_t i = 0; i < std::min(positions, kMaxPositions); ++i)
    out.push_back({first + i * step, 1});
  return out;
}

std::optional<Touch> touch(onnx::DataType type, std::span<const TouchedAxis> axes,
                           std::size_t channels) {
  std::optional<std::int64_t> all = 1, some = 1;
  for (const TouchedAxis& axis : axes) {
    if (all) all = checked_mul(*all, axis.size);
    if (some) some = checked_mul(*some, axis.touched());
  }
  if (!all || !some) return std::nullopt;
  const auto whole = onnx::storage_bytes(type, *all), bytes = onnx::storage_bytes(type, *some);
  const auto element = onnx::storage_bytes(type, 1);
  if (!whole || !bytes || !element) return std::nullopt;
  if (*some == 0 || *some == *all) return all_of(*bytes);
  const Wide packed = (Wide(*bytes) + kLineBytes - 1) / kLineBytes;
  // Several elements per byte: only the total number of bytes is used.
  const bool small = onnx::storage_bytes(type, 2) == element;
  const Wide lines = small ? packed : min_lines(axes, channels, *element);
  const Wide line_bytes = std::min<Wide>(std::max(lines, packed) * kLineBytes, *whole);
  return Touch{*bytes, std::max(*bytes, static_cast<std::int64_t>(line_bytes))};
}

}  // namespace ridge::analysis
