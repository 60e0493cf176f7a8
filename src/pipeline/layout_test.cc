// SPDX-License-Identifier: Apache-2.0
#include "pipeline/layout.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

const FloatImage kArrangedImage{2, 1, 3, {1, 2, 3, 4, 5, 6}};
using Dims = std::vector<std::int64_t>;

TEST(Layout, OrdersTheAxes) {
  const Tensor planes = arranged(kArrangedImage, Layout::kNchw);
  EXPECT_EQ(planes.dims, (Dims{1, 3, 1, 2}));
  EXPECT_EQ(planes.floats(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(arranged(kArrangedImage, Layout::kChw).dims, (Dims{3, 1, 2}));
  const Tensor pixels = arranged(kArrangedImage, Layout::kNhwc);
  EXPECT_EQ(pixels.dims, (Dims{1, 1, 2, 3}));
  EXPECT_EQ(pixels.floats(), kArrangedImage.data);
  EXPECT_EQ(arranged(kArrangedImage, Layout::kHwc).dims, (Dims{1, 2, 3}));
}

}  // namespace
}  // namespace ridge::pipeline
