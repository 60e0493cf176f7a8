// SPDX-License-Identifier: Apache-2.0
#include "analysis/bounds/window_axes.h"

#include <algorithm>
#include <array>

#include "analysis/form.h"
#include "base/checked.h"
#include "ops/rule.h"

namespace ridge::analysis {
namespace {

/// Maximum number of (window, tap) pairs that are enumerated.
constexpr std::int64_t kMaxPairs = std::int64_t{1} << 22;

/// Indices i in [0, n) for which at + i * step lies in [0, size).
Run steps_inside(std::int64_t at, std::int64_t step, std::int64_t n, std::int64_t size) {
  const std::int64_t first = std::max<std::int64_t>(0, ceil_div(-at, step));
  const std::int64_t last = std::min(n - 1, floor_div(size - 1 - at, step));
  return {first, std::max<std::int64_t>(0, last - first + 1)};
}

/// Windows for which tap `t` lies inside.
Run windows_of_tap(const WindowAxis& a, std::int64_t t) {
  return steps_inside(t * a.dilation - a.pad, a.stride, a.windows, a.size);
}
/// Taps of window `o` that lie inside.
Run taps_of_window(const WindowAxis& a, std::int64_t o) {
  return steps_inside(o * a.stride - a.pad, a.dilation, a.filter, a.size);
}

void append(Runs& runs, std::int64_t first, std::int64_t end) {
  if (first >= end) return;
  if (!runs.empty() && first <= runs.back().first + runs.back().length)
    runs.back().length = std::max(runs.back().length, end - runs.back().first);
  else
    runs.push_back({first, end - first});
}

Runs used(std::int64_t n, const WindowAxis& a, Run (*partners)(const WindowAxis&, std::int64_t)) {
  Runs out;
  for (std::int64_t i = 0; i < std::min(n, kMaxPositions); ++i)
    if (partners(a, i).length > 0) append(out, i, i + 1);
  return out;
}

struct WindowRow {
  std::string_view domain, name;
  std::size_t weight = 0;
  enum class Last : std::uint8_t { kNo, kYes, kAttribute } last = Last::kNo;
  bool transposed = false;
};
using enum WindowRow::Last;
constexpr std::array kWindowRows = {
    WindowRow{"", "Conv", 1},
    WindowRow{"", "ConvInteger", 1},
    WindowRow{"", "QLinearConv", 3},
    WindowRow{"", "ConvTranspose", 1, kNo, true},
    WindowRow{"", "MaxPool"},
    WindowRow{"", "AveragePool"},
    WindowRow{"", "LpPool"},
    WindowRow{ops::kMicrosoft, "FusedConv", 1},
    WindowRow{ops::kMicrosoft, "QLinearConv", 3, kAttribute},
    WindowRow{ops::kMicrosoft, "NhwcConv", 1, kYes},
    WindowRow{ops::kMicrosoft, "NhwcFusedConv", 1, kYes},
    WindowRow{ops::kMicrosoft, "NhwcMaxPool", 0, kYes},
    WindowRow{ops::kMicrosoft, "MaxpoolWithMask"},
    WindowRow{ops::kMicrosoft, "QLinearAveragePool", 0, kAttribute},
};

const WindowRow* window_row(const graph::Node& node) {
  const auto at = std::ranges::find_if(kWindowRows, [&](const WindowRow& r) {
    return r.name == node.op_type && r.domain == node.domain;
  });
  return at == kWindowRows.end() ? nullptr : &*at;
}

/// Padding before the first position (ONNX Conv: auto_pad).
std::int64_t pad_before(const Form& f, std::size_t i, const WindowAxis& a, bool transposed) {
  const std::string_view automatic = f.text("auto_pad");
  const bool given = transposed && f.length("output_shape") > 0;
  if (!given && (automatic.empty() || automatic == "NOTSET")) return f.listed("pads", i, 0);
  if (automatic == "VALID" && !given) return 0;
  const std::int64_t span = (a.filter - 1) * a.dilation + 1;
  const std::int64_t all = (a.windows - 1) * a.stride + span - a.size +
                           (transposed ? f.listed("output_padding", i, 0) : 0);
  const std::int64_t pads = std::max<std::int64_t>(0, all);
  // With output_shape, the odd pixel goes to the front unless auto_pad is SAME_UPPER.
  const bool front = automatic == "SAME_LOWER" || (given && automatic != "SAME_UPPER");
  return front ? pads - pads / 2 : pads / 2;
}

}  // namespace

std::int64_t taps_inside(const WindowAxis& a) {
  std::int64_t sum = 0;
  for (std::int64_t t = 0; t < std::min(a.filter, kMaxPositions); ++t)
    sum += windows_of_tap(a, t).length;
  return sum;
}

Runs positions_read(const WindowAxis& a) {
  Runs out;
  if (a.windows < 1) return out;
  const std::int64_t windows = std::min(a.windows, kMaxPositions);
  if (a.dilation == 1 || a.filter == 1) {
    if (a.stride <= a.filter) {  // no gaps between windows
      append(out, std::max<std::int64_t>(0, -a.pad),
             std::min(a.size, (a.windows - 1) * a.stride - a.pad + a.filter));
      return out;
    }
    for (std::int64_t o = 0; o < windows; ++o)
      append(out, std::max<std::int64_t>(0, o * a.stride - a.pad),
             std::min(a.size, o * a.stride - a.pad + a.filter));
    return out;
  }
  std::vector<std::int64_t> all;
  for (std::int64_t o = 0; o < windows; ++o) {
    const Run taps = taps_of_window(a, o);
    for (std::int64_t t = taps.first; t < taps.first + taps.length; ++t)
      all.push_back(o * a.stride - a.pad + t * a.dilation);
    if (std::ssize(all) > kMaxPairs) break;
  }
  return runs_of(std::move(all));
}

Runs taps_used(const WindowAxis& a) { return used(a.filter, a, windows_of_tap); }
Runs windows_used(const WindowAxis& a) { return used(a.windows, a, taps_of_window); }

std::optional<SlidingWindow> window_axes(const Resolved& resolved, graph::NodeId node) {
  const Form f(resolved, node);
  const WindowRow* row = window_row(f.node());
  if (row == nullptr) return std::nullopt;
  const auto data = f.input(0), out = f.output(0);
  const auto weight = row->weight > 0 ? f.input(row->weight) : std::nullopt;
  if (!data || !out || data->size() < 3 || out->size() != data->size()) return std::nullopt;
  if (row->weight > 0 && (!weight || weight->size() != data->size())) return std::nullopt;
  const bool last = row->last == kYes || (row->last == kAttribute && f.integer("channels_last", 0));
  SlidingWindow w{.first = last ? 1U : 2U,
                  .channels = last ? data->size() - 1 : 1,
                  .weight = row->weight,
                  .transposed = row->transposed};
  for (std::size_t i = 0; i + 2 < data->size(); ++i) {
    WindowAxis a{.size = (*data)[w.first + i], .windows = (*out)[w.first + i]};
    if (w.transposed) std::swap(a.size, a.windows);
    a.filter = weight ? (*weight)[2 + i] : f.listed("kernel_shape", i, 0);
    a.stride = f.listed("strides", i, 1);
    a.dilation = f.listed("dilations", i, 1);
    const auto in = [](std::int64_t x, std::int64_t least) { return x >= least && x <= INT32_MAX; };
    if (!in(a.size, 0) || !in(a.windows, 0) || !in(a.filter, 1) || !in(a.stride, 1) ||
        !in(a.dilation, 1))
      return std::nullopt;
    a.pad = pad_before(f, i, a, w.transposed);
    if (!in(a.pad, INT32_MIN)) return std::nullopt;
    w.axes.push_back(a);
  }
  return w;
}

}  // namespace ridge::analysis
