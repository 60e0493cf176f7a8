#include "analysis/window_rows.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/checked.h"

namespace ridge::analysis {
namespace {

__extension__ using Wide = __int128;

/// Sum of max(0, first + i * step) for i in [0, count), step > 0.
Wide positive_sum(Wide first, Wide step, Wide count) {
  Wide skipped = first >= 0 ? Wide(0) : -first / step;
  if (skipped >= count) return 0;
  count -= skipped;
  first += skipped * step;  // the first term that may count; at most one more is below 0
  if (first < 0) {
    first += step;
    --count;
  }
  return count * first + step * (count * (count - 1) / 2);
}

/// The same window rows without output rows that lie in the padding as a whole.
WindowRows trimmed(WindowRows w) {
  const std::int64_t first = std::max<std::int64_t>(0, ceil_div(w.pad - w.span + 1, w.stride));
  const std::int64_t last = std::min(w.outputs - 1, floor_div(w.input - 1 + w.pad, w.stride));
  w.outputs = std::max<std::int64_t>(0, last - first + 1);
  w.pad -= first * w.stride;
  return w;
}

std::span<const std::int64_t> ints(const graph::Node& node, std::string_view name) {
  const onnx::Attribute* a = graph::attribute(node, name);
  return a == nullptr ? std::span<const std::int64_t>() : a->ints;
}

std::int64_t first_of(const graph::Node& node, std::string_view name, std::int64_t fallback) {
  const auto list = ints(node, name);
  return list.empty() ? fallback : list[0];
}

struct Windowed {
  std::string_view domain, name;
  std::size_t weight;  ///< the input whose third dimension is the kernel's rows; 0: kernel_shape is
};
constexpr std::array kWindowed = {
    Windowed{"", "Conv", 1},        Windowed{"", "ConvInteger", 1},
    Windowed{"", "QLinearConv", 3}, Windowed{"com.microsoft", "FusedConv", 1},
    Windowed{"", "MaxPool", 0},     Windowed{"", "AveragePool", 0},
    Windowed{"", "LpPool", 0},
};

std::optional<std::int64_t> rows_of(const Resolved& r, std::span<const graph::ValueId> values,
                                    std::size_t i) {
  if (i >= values.size() || values[i] == graph::kNone) return std::nullopt;
  const ops::Shape& shape = r.type(values[i]).shape;
  if (shape.rank < 3 || !shape[2].known() || shape[2].value() < 1) return std::nullopt;
  return shape[2].value();
}

/// Rows of padding before the first.
std::int64_t padding(const graph::Node& node, const WindowRows& w) {
  const onnx::Attribute* a = graph::attribute(node, "auto_pad");
  if (a == nullptr || a->s.empty() || a->s == "NOTSET") return first_of(node, "pads", 0);
  if (a->s != "SAME_UPPER" && a->s != "SAME_LOWER") return 0;
  const std::int64_t all = std::max<std::int64_t>(0, (w.outputs - 1) * w.stride + w.span - w.input);
  return a->s == "SAME_UPPER" ? all / 2 : all - all / 2;
}

}  // namespace

std::optional<std::int64_t> rows_read(const WindowRows& w, std::int64_t band) {
  const WindowRows t = trimmed(w);
  if (t.outputs == 0) return 0;
  // Windows that do not touch each other share nothing, whatever the bands.
  const Wide in_band = t.stride >= t.span ? 1 : std::min(band, t.outputs);
  const Wide bands = (t.outputs + in_band - 1) / in_band;
  const Wide step = in_band * t.stride;
  // Band i begins at i * step - pad and ends where its last window does; what hangs over either
  // edge is no row.
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

std::optional<WindowInput> window_input(const Resolved& r, const graph::Node& node) {
  const auto* row = std::find_if(kWindowed.begin(), kWindowed.end(), [&](const Windowed& o) {
    return o.name == node.op_type && o.domain == node.domain;
  });
  if (row == kWindowed.end()) return std::nullopt;
  const auto input = rows_of(r, node.inputs, 0), outputs = rows_of(r, node.outputs, 0);
  const auto kernel = row->weight == 0 ? std::optional(first_of(node, "kernel_shape", 0))
                                       : rows_of(r, node.inputs, row->weight);
  if (!input || !outputs || !kernel || *kernel < 1) return std::nullopt;
  WindowInput out;
  WindowRows& w = out.rows;
  w.input = *input;
  w.outputs = *outputs;
  w.stride = first_of(node, "strides", 1);
  const auto reach = checked_mul(*kernel - 1, first_of(node, "dilations", 1));
  if (!reach || *reach < 0 || *reach > INT32_MAX || w.stride < 1) return std::nullopt;
  w.span = *reach + 1;
  w.pad = padding(node, w);

  const ops::Type& type = r.type(node.inputs[0]);
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
