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

TEST(Layout, BatchesSamples) {
  const Tensor sample = arranged(kArrangedImage, Layout::kNchw),
               plain = arranged(kArrangedImage, Layout::kChw);
  const auto joined = batched({sample, sample});
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined->dims, (Dims{2, 3, 1, 2}));
  EXPECT_EQ(joined->floats(), (std::vector<float>{1, 4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6}));
  const auto stacked = batched({plain, plain, plain});
  ASSERT_TRUE(stacked.ok());
  EXPECT_EQ(stacked->dims, (Dims{3, 3, 1, 2}));
  EXPECT_EQ(stacked->count(), 18U);
}

TEST(Layout, BatchesOnlyWhatIsAlike) {
  const Tensor bytes = arranged(Image{2, 1, 3, {1, 2, 3, 4, 5, 6}}, Layout::kChw);
  const auto mixed = batched({arranged(kArrangedImage, Layout::kChw), bytes});
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().text(),
            "error: sample 2 is uint8 [3, 1, 2], the first of the batch is float32 [3, 1, 2]\n"
            "  hint: resize or crop to a fixed size, or use batches of one sample\n"
            "  [RIDGE-PIPE-0011]\n");
  const auto none = batched({});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text(), "error: a batch of no samples\n  [RIDGE-PIPE-0012]\n");
}

}  // namespace
}  // namespace ridge::pipeline
