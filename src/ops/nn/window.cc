// SPDX-License-Identifier: Apache-2.0
#include "ops/nn/window.h"

#include <fmt/format.h>

namespace ridge::ops {
namespace {

// Reads a list `name` of `size` elements of at least `least`; empty if the attribute is absent.
Result<std::span<const std::int64_t>> read_list(const Context& c, std::string_view name,
                                                std::size_t size, std::int64_t least) {
  const auto list = TRY(c.ints_attribute(name));
  if (list.empty() && !c.has_attribute(name)) return list;
  if (list.size() != size)
    return c.fail(Fault::kWindow,
                  fmt::format("attribute '{}' has {} elements, the input's shape requires {}", name,
                              list.size(), size));
  for (const std::int64_t x : list)
    if (x < least || x > INT32_MAX)
      return c.fail(Fault::kWindow,
                    fmt::format("attribute '{}' contains {}, it must be in [{}, {}]", name, x,
                                least, INT32_MAX));
  return list;
}

Result<AutoPad> read_auto_pad(const Context& c) {
  const std::string_view text = TRY(c.string_attribute("auto_pad", "NOTSET"));
  if (text == "NOTSET" || text.empty()) return AutoPad::kNotSet;
  if (text == "SAME_UPPER") return AutoPad::kSameUpper;
  if (text == "SAME_LOWER") return AutoPad::kSameLower;
  if (text == "VALID") return AutoPad::kValid;
  return c.fail(Fault::kWindow,
                fmt::format("attribute 'auto_pad' is \"{}\"; it must be NOTSET, SAME_UPPER, "
                            "SAME_LOWER or VALID",
                            text));
}

Result<std::span<const Dim>> kernel_sizes(Context& c, std::span<const Dim> weight,
                                          std::size_t spatial) {
  const auto given = TRY(read_list(c, "kernel_shape", spatial, 1));
  if (given.empty() && weight.empty() && spatial > 0)
    return c.fail(Fault::kAttribute, "attribute 'kernel_shape' is not given");
  const bool whole = weight.size() >= spatial;  // the weight defines all kernel sizes
  const std::span<Dim> made = c.arena().array<Dim>(whole ? 0 : spatial);
  for (std::size_t i = 0; i < spatial; ++i) {
    const Dim size = i < weight.size() ? weight[i] : Dim(given[i]);
    if (i < weight.size() && i < given.size())
      TRY(require_same(c, size, Dim(given[i]), "kernel size of the weight and kernel_shape"));
    if (size.is(0)) return c.fail(Fault::kWindow, "a kernel size is 0, it must be at least 1");
    if (!whole) made[i] = size;
  }
  return whole ? weight.first(spatial) : std::span<const Dim>(made);
}

}  // namespace

Result<Window> read_window(Context& c, std::span<const Dim> weight, std::size_t spatial) {
  Window w;
  w.kernel = TRY(kernel_sizes(c, weight, spatial));
  w.strides = TRY(read_list(c, "strides", spatial, 1));
  w.dilations = TRY(read_list(c, "dilations", spatial, 1));
  w.auto_pad = TRY(read_auto_pad(c));
  w.pads = TRY(read_list(c, "pads", 2 * spatial, 0));
  if (w.auto_pad != AutoPad::kNotSet) w.pads = {};
  w.ceil = TRY(c.int_attribute("ceil_mode", 0)) != 0;
  return w;
}

Result<Dim> positions(Context& c, const Window& w, Dim in, std::size_t axis) {
  DimPool& p = c.dims();
  const Dim stride(w.stride(axis));
  if (w.auto_pad == AutoPad::kSameUpper || w.auto_pad == AutoPad::kSameLower)
    return p.ceil_div(in, stride);
  const Dim reach = p.mul(p.sub(w.kernel[axis], Dim(1)), Dim(w.dilation(axis)));
  const Dim padded = p.add(in, Dim(w.pad_begin(axis) + w.pad_end(axis)));
  const Dim room = p.sub(p.sub(padded, reach), Dim(1));
  if (room.known() && room.value() < 0)
    return c.fail(
        Fault::kWindow,
        fmt::format("a kernel of {} with dilation {} spans {}, more than the padded input "
                    "of {} on spatial axis {}",
                    p.text(w.kernel[axis]), w.dilation(axis), p.text(p.add(reach, Dim(1))),
                    p.text(padded), axis),
        "the input is too small for this network, or the pads are wrong");
  if (!w.ceil) return p.add(p.floor_div(room, stride), Dim(1));
  // A window that would start in the padding after the input is omitted (ONNX MaxPool, ceil_mode).
  const Dim rounded_up = p.add(p.ceil_div(room, stride), Dim(1));
  const Dim last_start = p.mul(p.sub(rounded_up, Dim(1)), stride);
  const Dim end = p.add(in, Dim(w.pad_begin(axis)));
  if (!last_start.known() || !end.known()) return stride.is(1) ? rounded_up : Dim();
  return last_start.value() >= end.value() ? p.sub(rounded_up, Dim(1)) : rounded_up;
}

}  // namespace ridge::ops
