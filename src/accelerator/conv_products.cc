// SPDX-License-Identifier: Apache-2.0
// Convolutions as products.
#include <algorithm>

#include "accelerator/products.h"

namespace ridge::accelerator {
namespace {

/// Axis `i` of a convolution: `size` elements, a kernel of `filter` elements, `out` positions.
WindowAxis window_axis(const Form& f, std::size_t i, std::int64_t size, std::int64_t filter,
                       std::int64_t out) {
  WindowAxis a{.size = size, .filter = filter, .out = out};
  a.stride = f.listed("strides", i, 1);
  a.dilation = f.listed("dilations", i, 1);
  a.pad = f.listed("pads", i, 0);
  const std::string_view automatic = f.text("auto_pad");
  if (automatic.starts_with("SAME")) {
    const std::int64_t span = (a.filter - 1) * a.dilation + 1;
    const std::int64_t all = std::max<std::int64_t>(0, (a.out - 1) * a.stride + span - a.size);
    a.pad = automatic == "SAME_LOWER" ? all - all / 2 : all / 2;
  }
  return a;
}

}  // namespace

std::optional<Gemms> convolution(const Form& f, std::size_t weight_at, Channels channels) {
  const auto data = f.input(0), weight = f.input(weight_at), out = f.output(0);
  if (!data || !weight || !out || data->size() < 3 || data->size() > 5 ||
      weight->size() != data->size() || out->size() != data->size())
    return std::nullopt;
  const std::int64_t groups = f.integer("group", 1);
  if (groups < 1) return std::nullopt;
  Gemm g;
  g.count = groups;
  g.window.images = (*data)[0];
  g.window.channels = (*weight)[1];
  const std::size_t spatial = data->size() - 2, first = channels == Channels::kFirst ? 2 : 1;
  for (std::size_t i = 0; i < spatial; ++i)
    g.window.axes[3 - spatial + i] =
        window_axis(f, i, (*data)[first + i], (*weight)[2 + i], (*out)[first + i]);
  g.m = times({(*data)[0], product(std::span(*out).subspan(first, spatial))});
  g.n = (*weight)[0] / groups;
  g.k = product(std::span(*weight).subspan(1));
  return Gemms{g};
}

std::optional<Gemms> deformable_convolution(const Form& f) {
  const auto gathered = convolution(f, 1, Channels::kFirst);
  if (!gathered) return std::nullopt;
  const Gemm& g = gathered->front();
  return Gemms{matrix_product(g.m, g.n, g.k, g.count)};
}

std::optional<Gemms> transposed_convolution(const Form& f) {
  const auto data = f.input(0), weight = f.input(1);
  if (!data || !weight || data->size() < 3 || weight->size() != data->size()) return std::nullopt;
  const std::int64_t groups = f.integer("group", 1);
  if (groups < 1) return std::nullopt;
  const std::int64_t positions = times({(*data)[0], product(std::span(*data).subspan(2))});
  return Gemms{matrix_product(positions, product(std::span(*weight).subspan(1)),
                              (*data)[1] / groups, groups)};
}

// Data [batch, channels, length] or, packed, [tokens, channels]; weight [channels, 1, kernel]. With
// several spatial axes or channels last, the operand is modeled as a plain matrix.
std::optional<Gemms> causal_convolution(const Form& f) {
  const auto data = f.input(0), weight = f.input(1);
  if (!data || !weight || weight->size() < 3 || data->size() < 2) return std::nullopt;
  const bool packed = data->size() == 2;
  const std::int64_t channels = (*weight)[0], kernel = product(std::span(*weight).subspan(1));
  if (channels < 1) return std::nullopt;
  Gemm g = matrix_product(product(*data) / channels, 1, kernel, channels);
  if (weight->size() > 3 || (*weight)[1] != 1 || f.integer("channels_last", 0) != 0)
    return Gemms{g};
  WindowAxis a{.size = packed ? (*data)[0] : data->back(), .filter = kernel};
  a.out = a.size;
  a.dilation = f.integer("dilation", 1);
  a.pad = times({kernel - 1, a.dilation});
  g.window = {.images = packed ? 1 : (*data)[0], .channels = 1, .axes = {}};
  g.window.axes[2] = a;
  return Gemms{g};
}

}  // namespace ridge::accelerator
