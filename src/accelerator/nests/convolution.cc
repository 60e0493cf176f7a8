// SPDX-License-Identifier: Apache-2.0
// Convolutions as loop nests: plain, quantized, fused with later operators, channels last, and
// deformable, over gathered samples.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "accelerator/nests/windows.h"
#include "ops/rule.h"

namespace ridge::accelerator {
namespace {

enum class ChannelPlace { kFirst, kLast, kAsAttribute };

/// Input numbers of the operands.
struct ConvolutionInputs {
  ChannelPlace channels = ChannelPlace::kFirst;
  std::size_t weight = 1, bias = 2, added = kNoInput;
  std::size_t zero_of_data = kNoInput, zero_of_weight = kNoInput;
  /// Inputs that scale the sums where the result is not the sum: scalars, or one element per
  /// filter.
  std::array<std::size_t, 4> scales = {kNoInput, kNoInput, kNoInput, kNoInput};
};

/// Value in the padding: the zero point of the data, else 0.
ExprId padding_value(NestBuilder& b, const ConvolutionInputs& in, Indices at) {
  const auto zero = b.input(in.zero_of_data);
  return zero ? b.load_repeated(*zero, at) : b.zero();
}

/// Buffer with the input and its padding; the input itself if there is no padding.
BufferId padded_input(NestBuilder& b, const Convolution& c, const ConvolutionInputs& in) {
  if (std::none_of(c.windows.begin(), c.windows.end(),
                   [](const FilterAxis& w) { return w.padded(); }))
    return c.data;
  Sizes shape = b.shape(c.data);
  for (std::size_t i = 0; i < c.spatial(); ++i)
    shape[c.axis(i)] += c.windows[i].before + c.windows[i].after;
  const BufferId out = b.temporary("padded", shape, c.data);
  b.add_block("pad", axes_of(shape), [&](Indices at) {
    std::vector<ExprId> from(at.begin(), at.end()), inside;
    for (std::size_t i = 0; i < c.spatial(); ++i) {
      const FilterAxis& w = c.windows[i];
      if (!w.padded()) continue;
      ExprId& here = from[c.axis(i)];
      inside.push_back(b.within(here, w.before, w.size));
      here = b.difference(here, b.number(w.before));
    }
    return b.store(out, at,
                   b.if_else(b.all(inside), b.load(c.data, from), padding_value(b, in, at)));
  });
  return out;
}

/// Input element that the filter multiplies, at [output indices..., channel of the group, in
/// filter...].
ExprId window_element(NestBuilder& b, const Convolution& c, BufferId from,
                      const ConvolutionInputs& in, Indices at) {
  const std::size_t rank = c.spatial() + 2;
  std::vector<ExprId> index(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank)), inside;
  index[c.channels] = in_group(b, c, at[c.channels], b.shape(c.out)[c.channels] / c.groups,
                               at[rank], b.shape(from)[c.channels] / c.groups);
  for (std::size_t i = 0; i < c.spatial(); ++i) {
    const FilterAxis& w = c.windows[i];
    ExprId& here = index[c.axis(i)];
    here = position(b, w, here, at[rank + 1 + i]);
    if (from != c.data || !w.padded()) continue;
    here = b.difference(here, b.number(w.before));
    inside.push_back(b.within(here, 0, w.size));
  }
  const ExprId value = without_zero(b, b.load(from, index), in.zero_of_data, at, c.channels);
  return inside.empty() ? value : b.if_else(b.all(inside), value, b.zero());
}

void add_window_product(NestBuilder& b, const Convolution& c, BufferId sums,
                        const ConvolutionInputs& in, const std::function<ExprId(Indices)>& data) {
  const Sizes weight = b.shape(c.weight);
  std::vector<Axis> depth = {{"c", weight[1], true}};
  for (std::size_t i = 2; i < weight.size(); ++i)
    depth.push_back({fmt::format("k{}", i - 2), weight[i], true});
  const std::size_t rank = weight.size();
  b.add_products("convolution", sums, depth, [&](Indices at) {
    std::vector<ExprId> of_filter = {at[c.channels]};
    of_filter.insert(of_filter.end(), at.begin() + static_cast<std::ptrdiff_t>(rank), at.end());
    const ExprId w = b.load(c.weight, of_filter);
    return NestBuilder::Factors{data(at), without_zero(b, w, in.zero_of_weight, at, c.channels)};
  });
}

template <const ConvolutionInputs& in>
bool convolution_nest(NestBuilder& b, PaddingForm padding) {
  const bool last =
      in.channels == ChannelPlace::kLast ||
      (in.channels == ChannelPlace::kAsAttribute && b.form().integer("channels_last", 0) != 0);
  const auto c = convolution_of(b, {in.weight, false, last});
  if (!c) return false;
  const BufferId from = padding == PaddingForm::kBlock ? padded_input(b, *c, in) : c->data;
  const bool scaled = b.form().has_input(in.scales[0]);
  const BufferId sums =
      scaled ? b.temporary("sums", b.shape(c->out), onnx::DataType::kInt32) : c->out;
  add_window_product(b, *c, sums, in,
                     [&](Indices at) { return window_element(b, *c, from, in, at); });
  add_bias(b, sums, in.bias, c->channels);
  if (scaled) {
    std::vector<Parameter> scales;
    for (const std::size_t scale : in.scales) scales.push_back({scale, c->channels});
    add_function(b, "scaled", sums, c->out, scales);
  }
  if (const auto added = b.input(in.added)) add_repeated(b, "added", c->out, *added);
  add_activation(b, c->out);
  return true;
}

/// Offsets and mask of a deformable convolution: one entry per position of the filter in each group
/// of channels; of offsets one per spatial axis.
struct Shifts {
  BufferId offset;
  std::optional<BufferId> mask;
  std::int64_t groups;
};

/// Interpolated element at the shifted position. Only the data determines which elements are around
/// it and whether they are inside. `at`: image, channel, position..., in filter...
ExprId interpolated(NestBuilder& b, const Convolution& c, const Shifts& s, Indices at) {
  const std::size_t axes = c.spatial();
  // Example: position (1, 2) of a 3 x 3 filter, second group of channels: in_filter = 1 * 3 + 2 =
  // 5, entry = 1 * 9 + 5 = 14. The mask of this position is channel 14, its two offsets are
  // channels 28 and 29 (ONNX DeformConv, inputs mask and offset).
  ExprId in_filter = b.number(0);
  for (std::size_t i = 0; i < axes; ++i)
    in_filter = b.sum(b.product(in_filter, b.number(c.windows[i].filter)), at[2 + axes + i]);
  const std::int64_t per_group = b.shape(c.data)[1] / s.groups;
  const Sizes weight = b.shape(c.weight);
  const std::int64_t filter = product(std::span(weight).subspan(2));
  const ExprId entry = b.sum(b.product(b.quotient(at[1], per_group), b.number(filter)), in_filter);
  std::vector<ExprId> shifted, index(at.begin(), at.begin() + 2 + std::ptrdiff_t(axes));
  for (std::size_t i = 0; i < axes; ++i) {
    index[1] = b.sum(b.product(entry, b.number(std::int64_t(axes))), b.number(std::int64_t(i)));
    const FilterAxis& w = c.windows[i];
    const ExprId here =
        b.difference(position(b, w, at[2 + i], at[2 + axes + i]), b.number(w.before));
    shifted.push_back(b.other("shifted", std::array{here, b.load(s.offset, index)}));
  }
  std::vector<ExprId> parts = shifted;
  for (std::size_t corner = 0; corner < std::size_t{1} << axes; ++corner) {
    std::vector<ExprId> from = {at[0], at[1]};
    for (std::size_t i = 0; i < axes; ++i)
      from.push_back(b.other((corner >> i) % 2 == 0 ? "below" : "above", std::array{shifted[i]}));
    parts.push_back(
        b.if_else(b.other("inside", std::span(from).subspan(2)), b.load(c.data, from), b.zero()));
  }
  index[1] = entry;
  if (s.mask) parts.push_back(b.load(*s.mask, index));
  return b.other("interpolated", parts);
}

constexpr ConvolutionInputs kDeformed{.bias = 3};
bool deformable_convolution_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto c = convolution_of(b, {});
  const auto offset = b.input(2);
  const std::int64_t groups = b.form().integer("offset_group", 1);
  if (!c || !offset || c->spatial() > 3 || groups < 1 || b.shape(c->data)[1] % groups != 0 ||
      b.shape(c->data)[1] < 1 || b.shape(*offset).size() != c->spatial() + 2)
    return false;
  const Shifts shifts{*offset, b.input(4), groups};
  Sizes shape = b.shape(c->data);
  for (std::size_t i = 0; i < c->spatial(); ++i) shape[2 + i] = c->windows[i].out;
  for (const FilterAxis& w : c->windows) shape.push_back(w.filter);
  const BufferId samples = b.temporary("samples", shape, c->data);
  b.add_map("gather", samples, [&](Indices at) { return interpolated(b, *c, shifts, at); });
  const std::size_t rank = c->spatial() + 2;
  add_window_product(b, *c, c->out, kDeformed, [&](Indices at) {
    std::vector<ExprId> index(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank));
    index[1] = in_group(b, *c, at[1], b.shape(c->out)[1] / c->groups, at[rank],
                        b.shape(c->data)[1] / c->groups);
    index.insert(index.end(), at.begin() + static_cast<std::ptrdiff_t>(rank) + 1, at.end());
    return b.load(samples, index);
  });
  add_bias(b, c->out, kDeformed.bias, 1);
  return true;
}

constexpr ConvolutionInputs kPlainConvolution{};
constexpr ConvolutionInputs kFused{.added = 3};
constexpr ConvolutionInputs kLast{.channels = ChannelPlace::kLast};
constexpr ConvolutionInputs kLastFused{.channels = ChannelPlace::kLast, .added = 3};
constexpr ConvolutionInputs kIntegerConvolution{
    .bias = kNoInput, .zero_of_data = 2, .zero_of_weight = 3};
constexpr ConvolutionInputs kQuantizedConvolution{.channels = ChannelPlace::kAsAttribute,
                                                  .weight = 3,
                                                  .bias = 8,
                                                  .zero_of_data = 2,
                                                  .zero_of_weight = 5,
                                                  .scales = {1, 4, 6, 7}};

constexpr std::array kConvolutionRows = {
    NestRow{"", "Conv", convolution_nest<kPlainConvolution>},
    NestRow{"", "ConvInteger", convolution_nest<kIntegerConvolution>},
    NestRow{"", "DeformConv", deformable_convolution_nest},
    NestRow{"", "QLinearConv", convolution_nest<kQuantizedConvolution>},
    NestRow{kMicrosoft, "FusedConv", convolution_nest<kFused>},
    NestRow{kMicrosoft, "NhwcConv", convolution_nest<kLast>},
    NestRow{kMicrosoft, "NhwcFusedConv", convolution_nest<kLastFused>},
    NestRow{kMicrosoft, "QLinearConv", convolution_nest<kQuantizedConvolution>},
};

}  // namespace

const std::span<const NestRow> kConvolutionNests = kConvolutionRows;

}  // namespace ridge::accelerator
