// What the loop nests of convolutions share: where a filter lies over a tensor. Private to them.
#pragma once

#include <optional>
#include <vector>

#include "accelerator/nests/operators.h"

namespace ridge::accelerator {

/// One spatial axis: where the filter lies.
struct FilterAxis {
  std::int64_t size, filter, out, stride, dilation;
  std::int64_t before = 0, after = 0;  ///< padding

  bool padded() const { return before != 0 || after != 0; }
};

struct Convolution {
  BufferId data, weight, out;
  std::int64_t groups;
  std::vector<FilterAxis> windows;
  std::size_t channels = 1;  ///< which axis they are, of data and out

  std::size_t spatial() const { return windows.size(); }
  std::size_t axis(std::size_t window) const { return (channels == 1 ? 2 : 1) + window; }
};

/// Input 0, the weight [filters, channels of a group, kernel...] at input `weight`, and output 0.
/// `transposed`: the filter lies over the output, and the weight begins with the channels.
struct ConvolutionForm {
  std::size_t weight = 1;
  bool transposed = false, channels_last = false;
};
std::optional<Convolution> convolution_of(NestBuilder& b, const ConvolutionForm& form);

/// Where an iteration of the filter lies on one axis of the wide tensor, its padding included.
ExprId position(NestBuilder& b, const FilterAxis& w, ExprId at, ExprId in_filter);

/// Channel `within` the group that channel `of` of `per_group` belongs to.
ExprId in_group(NestBuilder& b, const Convolution& c, ExprId of, std::int64_t per_group,
                ExprId within, std::int64_t group_size);

}  // namespace ridge::accelerator
