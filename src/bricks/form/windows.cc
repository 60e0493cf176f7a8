// SPDX-License-Identifier: Apache-2.0
#include "bricks/form/windows.h"

#include <algorithm>
#include <optional>

#include "ops/defaults.h"

namespace ridge::bricks {
namespace {

/// Sizes along the spatial axes.
struct Window {
  Ints in, out, kernel, strides, dilations, pads;
  std::string_view mode;  ///< auto_pad

  std::size_t rank() const { return kernel.size(); }
  std::int64_t extent(std::size_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }

  /// Distributes a number of padded elements over the two ends.
  void set_pads(std::size_t i, std::int64_t total, bool more_first) {
    const std::int64_t less = total / 2;
    pads[i] = more_first ? total - less : less;
    pads[i + rank()] = total - pads[i];
  }
};

Ints spatial(const Ints& sizes) {
  return sizes.size() > 2 ? Ints(sizes.begin() + 2, sizes.end()) : Ints();
}

std::optional<Window> window_of(const NodeView& v) {
  Window w{.in = spatial(v.in(0)),
           .out = spatial(v.out(0)),
           .kernel = {},
           .strides = {},
           .dilations = {},
           .pads = {},
           .mode = "NOTSET"};
  if (const auto weight = ops::weight_input(v.op()); weight && v.has(*weight))
    w.kernel = spatial(v.in(*weight));
  else
    w.kernel = v.numbers("kernel_shape", 0, 0);
  const std::size_t rank = w.kernel.size();
  w.strides = v.numbers("strides", rank, 1);
  w.dilations = v.numbers("dilations", rank, 1);
  w.pads = v.numbers("pads", 2 * rank, 0);
  if (const onnx::Attribute* a = v.attribute("auto_pad"); a != nullptr && !a->s.empty())
    w.mode = a->s;
  for (const Ints* sizes : {&w.in, &w.out, &w.kernel, &w.strides, &w.dilations})
    if (sizes->size() != rank || rank == 0 ||
        std::ranges::any_of(*sizes, [](std::int64_t d) { return d < 1; }))
      return std::nullopt;
  if (w.pads.size() != 2 * rank) return std::nullopt;
  return w;
}

void write(NodeView& v, const Window& w) {
  for (const char* name : {"auto_pad", "output_shape"}) v.drop(name);
  v.set("kernel_shape", list(w.kernel));
  v.set("strides", list(w.strides));
  v.set("dilations", list(w.dilations));
  v.set("pads", list(w.pads));
}

void pad_same(Window& w) {
  if (w.mode == "VALID") w.pads.assign(2 * w.rank(), 0);
  if (!w.mode.starts_with("SAME")) return;
  for (std::size_t i = 0; i < w.rank(); ++i) {
    const std::int64_t steps = (w.in[i] + w.strides[i] - 1) / w.strides[i];
    const std::int64_t total = (steps - 1) * w.strides[i] + w.extent(i) - w.in[i];
    w.set_pads(i, std::max<std::int64_t>(total, 0), w.mode == "SAME_LOWER");
  }
}

}  // namespace

void convolution_rule(NodeView& v) {
  std::optional<Window> w = window_of(v);
  if (!w) return;
  pad_same(*w);
  write(v, *w);
}

void pool_rule(NodeView& v) {
  std::optional<Window> w = window_of(v);
  if (!w) return;
  pad_same(*w);
  write(v, *w);
  bool exact = true;  // the last window ends inside, so ceil_mode changes nothing
  for (std::size_t i = 0; i < w->rank(); ++i)
    exact &= w->out[i] ==
             (w->in[i] + w->pads[i] + w->pads[i + w->rank()] - w->extent(i)) / w->strides[i] + 1;
  if (exact) v.drop("ceil_mode");
  const bool padded = std::ranges::any_of(w->pads, [](std::int64_t p) { return p != 0; });
  if (exact && !padded) v.drop("count_include_pad");
  const bool indices = v.node().outputs.size() > 1 && !v.node().outputs[1].empty();
  if (!indices) v.drop("storage_order");
}

void transposed_convolution_rule(NodeView& v) {
  std::optional<Window> w = window_of(v);
  if (!w) return;
  const Ints more = v.numbers("output_padding", w->rank(), 0);
  const bool sized = v.attribute("output_shape") != nullptr;
  if (more.size() != w->rank()) return;
  if (w->mode == "VALID" && !sized) w->pads.assign(2 * w->rank(), 0);
  if (sized || w->mode.starts_with("SAME"))
    for (std::size_t i = 0; i < w->rank(); ++i) {
      const std::int64_t total =
          w->strides[i] * (w->in[i] - 1) + more[i] + w->extent(i) - w->out[i];
      w->set_pads(i, std::max<std::int64_t>(total, 0), w->mode != "SAME_UPPER");
    }
  write(v, *w);
}

}  // namespace ridge::bricks
