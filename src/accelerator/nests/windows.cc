// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/windows.h"

#include <algorithm>

namespace ridge::accelerator {
namespace {

/// `wide`: tensor that the filter slides over; `narrow`: tensor with one element per filter
/// position.
std::vector<FilterAxis> windows_of(const NestBuilder& b, const Convolution& c, const Sizes& wide,
                                   const Sizes& weight, const Sizes& narrow) {
  const std::size_t spatial = wide.size() - 2;
  const std::string_view automatic = b.form().text("auto_pad");
  std::vector<FilterAxis> all;
  for (std::size_t i = 0; i < spatial; ++i) {
    FilterAxis w{wide[c.axis(i)], weight[2 + i], narrow[c.axis(i)],
                 b.form().listed("strides", i, 1), b.form().listed("dilations", i, 1)};
    // A transposed convolution may state the size of its output.
    const bool told = b.form().listed("output_shape", i, 0) > 0;
    if (automatic.starts_with("SAME") || told) {
      const std::int64_t span =
          (w.filter - 1) * w.dilation + 1 + b.form().listed("output_padding", i, 0);
      const std::int64_t sum = std::max<std::int64_t>(0, (w.out - 1) * w.stride + span - w.size);
      w.before = automatic == "SAME_LOWER" || (told && automatic != "SAME_UPPER") ? sum - sum / 2
                                                                                  : sum / 2;
      w.after = sum - w.before;
    } else if (automatic != "VALID") {
      w.before = b.form().listed("pads", i, 0);
      w.after = b.form().listed("pads", spatial + i, 0);
    }
    all.push_back(w);
  }
  return all;
}

}  // namespace

std::optional<Convolution> convolution_of(NestBuilder& b, const ConvolutionForm& form) {
  const auto data = b.input(0), weight = b.input(form.weight), out = b.output(0);
  const std::int64_t groups = b.form().integer("group", 1);
  if (!data || !weight || !out || groups < 1) return std::nullopt;
  const Sizes x = b.shape(*data), w = b.shape(*weight), y = b.shape(*out);
  if (x.size() < 3 || w.size() != x.size() || y.size() != x.size()) return std::nullopt;
  Convolution c{*data, *weight, *out, groups, {}, form.channels_last ? x.size() - 1 : 1};
  if (x[c.channels] % groups != 0 || y[c.channels] % groups != 0) return std::nullopt;
  c.windows = form.transposed ? windows_of(b, c, y, w, x) : windows_of(b, c, x, w, y);
  return c;
}

ExprId position(NestBuilder& b, const FilterAxis& w, ExprId at, ExprId in_filter) {
  return b.sum(b.product(at, b.number(w.stride)), b.product(in_filter, b.number(w.dilation)));
}

ExprId in_group(NestBuilder& b, const Convolution& c, ExprId of, std::int64_t per_group,
                ExprId within, std::int64_t group_size) {
  if (c.groups == 1) return within;
  return b.sum(b.product(b.quotient(of, per_group), b.number(group_size)), within);
}

}  // namespace ridge::accelerator
