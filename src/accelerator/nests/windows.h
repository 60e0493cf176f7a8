// SPDX-License-Identifier: Apache-2.0
// Common parts of the loop nests of convolutions: the windows of a filter. Private to these nests.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {

/// Windows of the filter along one spatial axis.
struct FilterAxis {
  std::int64_t size, filter, out, stride, dilation;
  std::int64_t before = 0, after = 0;  ///< padding

  bool padded() const { return before != 0 || after != 0; }
};

struct Convolution {
  BufferId data, weight, out;
  std::int64_t groups;
  std::vector<FilterAxis> windows;
  std::size_t channels = 1;  ///< index of the channel axis of data and out

  std::size_t spatial() const { return windows.size(); }
  std::size_t axis(std::size_t window) const { return (channels == 1 ? 2 : 1) + window; }
};

/// Inputs of a convolution: data is input 0, the weight [filters, channels of a group, kernel...]
/// is input `weight`, the result is output 0. `transposed`: the filter slides over the output, and
/// the weight begins with the channels.
struct ConvolutionForm {
  std::size_t weight = 1;
  bool transposed = false, channels_last = false;
};
std::optional<Convolution> convolution_of(NestBuilder& b, const ConvolutionForm& form);

/// Position along one axis of the padded wide tensor of filter element `in_filter` in window `at`.
ExprId position(NestBuilder& b, const FilterAxis& w, ExprId at, ExprId in_filter);

/// Channel number `within` in the group of channel `of`. Groups have `per_group` channels on the
/// side of `of` and `group_size` on the other side.
ExprId in_group(NestBuilder& b, const Convolution& c, ExprId of, std::int64_t per_group,
                ExprId within, std::int64_t group_size);

}  // namespace ridge::accelerator
