// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/window_rows.h"

#include <algorithm>

#include "analysis/bounds/window_axes.h"
#include "base/checked.h"

namespace ridge::analysis {
namespace {

__extension__ using Wide = __int128;

/// Sum of max(0, first + i * step) for i in [0, count), step > 0.
Wide positive_sum(Wide first, Wide step, Wide count) {
  Wide skipped = first >= 0 ? Wide(0) : -first / step;
  if (skipped >= count) return 0;
  count -= skipped;
  first += skipped * step;  // first term that may be positive; at most one more term is negative
  if (first < 0) {
    first += step;
    --count;
  }
  return count * first + step * (count * (count - 1) / 2);
}

/// Drops the output rows that lie entirely over padding.
WindowRows without_padding(WindowRows w) {
  const std::int64_t first = std::max<std::int64_t>(0, ceil_div(w.pad - w.span + 1, w.stride));
  const std::int64_t last = std::min(w.outputs - 1, floor_div(w.input - 1 + w.pad, w.stride));
  w.outputs = std::max<std::int64_t>(0, last - first + 1);
  w.pad -= first * w.stride;
  return w;
}

}  // namespace

// Example: input 8, outputs 8, span 3, stride 1, pad 1, band 4. Band 0 covers rows [-1, 5), band 1
// rows [3, 9). Clipped to [0, 8): begins = 0 + 3, ends = 5 + 8, so 13 - 3 = 10 rows are read; the
// halo of 2 rows is read twice.
std::optional<std::int64_t> rows_read(const WindowRows& w, std::int64_t band) {
  const WindowRows t = without_padding(w);
  if (t.outputs == 0) return 0;
  // Disjoint windows share no rows, for any band size.
  const Wide in_band = t.stride >= t.span ? 1 : std::min(band, t.outputs);
  const Wide bands = (t.outputs + in_band - 1) / in_band;
  const Wide step = in_band * t.stride;
  // Band i covers rows [i * step - pad, end of its last window), clipped to the input.
  const Wide begins = positive_sum(-Wide(t.pad), step, bands);
  const Wide first_end = (in_band - 1) * t.stride - t.pad + t.span;
  const Wide full = bands - 1;
  const Wide last_end = std::min<Wide>(t.input, Wide(t.outputs - 1) * t.stride - t.pad + t.span);
  const Wide ends = full * first_end + step * (full * (full - 1) / 2) -
                    positive_sum(first_end - t.input, step, full) + last_end;
  const Wide rows = ends - begins;
  if (rows > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(rows);
}

std::int64_t largest_band(const WindowRows& w, std::int64_t row_bytes, std::int64_t bytes) {
  const std::int64_t rows = bytes / std::max<std::int64_t>(1, row_bytes);
  if (rows >= w.input) return std::max<std::int64_t>(1, w.outputs);
  return std::clamp<std::int64_t>((rows - w.span) / w.stride + 1, 1,
                                  std::max<std::int64_t>(1, w.outputs));
}

std::optional<WindowInput> window_input(const Resolved& r, graph::NodeId node) {
  const auto window = window_axes(r, node);
  if (!window || window->transposed || window->first != 2) return std::nullopt;
  const WindowAxis& axis = window->axes[0];
  const auto reach = checked_mul(axis.filter - 1, axis.dilation);
  if (axis.size < 1 || axis.windows < 1 || !reach || *reach > INT32_MAX) return std::nullopt;
  WindowInput out{.rows = {.input = axis.size,
                           .outputs = axis.windows,
                           .span = *reach + 1,
                           .stride = axis.stride,
                           .pad = axis.pad}};

  const ops::Type& type = r.type(r.model().inputs(node)[0]);
  std::optional<std::int64_t> row_elements = 1;
  for (std::size_t i = 0; i < type.shape.span().size(); ++i) {
    if (!type.shape[i].known()) return std::nullopt;
    if (i == 0 || i == 2) continue;
    row_elements = checked_mul(*row_elements, type.shape[i].value());
    if (!row_elements) return std::nullopt;
  }
  out.images = type.shape[0].value();
  const auto bytes = onnx::storage_bytes(type.dtype, *row_elements);
  if (!bytes) return std::nullopt;
  out.row_bytes = *bytes;
  return out;
}

}  // namespace ridge::analysis
