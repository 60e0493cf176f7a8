// SPDX-License-Identifier: Apache-2.0
#include "pipeline/shape.h"

#include <gtest/gtest.h>

#include "pipeline/pipeline.h"
#include "pipeline/step_text.h"
#include "pipeline/testing/files.h"

namespace ridge::pipeline {
namespace {

using Dims = std::vector<std::int64_t>;

Dims dims(std::string_view steps, std::optional<Size> file = {}) {
  const auto shape = infer_shape(*parse_steps(steps), file);
  return shape.ok() ? shape->dims() : Dims{-99};
}

TEST(Shape, IsKnownWithoutAFileWhereStepsFixIt) {
  EXPECT_EQ(dims("decode(rgb) resize(256, short) crop(224) layout(nchw)"), (Dims{1, 3, 224, 224}));
  EXPECT_EQ(dims("decode(gray) resize(28x20) layout(chw)"), (Dims{1, 20, 28}));
  EXPECT_EQ(dims("decode(rgb) resize(256, short)"), (Dims{-1, -1, 3}));
  EXPECT_EQ(dims("decode(rgb) resize(256, short)", Size{640, 480}), (Dims{256, 341, 3}));
}

TEST(Shape, ElementsAreBytesUntilAStepComputes) {
  EXPECT_EQ(infer_shape(*parse_steps("decode crop(8)"))->type, ElementType::kUint8);
  EXPECT_EQ(infer_shape(*parse_steps("decode resize(8, half_pixel)"))->type, ElementType::kFloat32);
  EXPECT_EQ(infer_shape(*parse_steps("decode divide(2) cast(uint8)"))->type, ElementType::kUint8);
}

TEST(Shape, ErrorsNameTheStep) {
  const auto channels = infer_shape(*parse_steps("decode(gray) normalize(mean=[1, 2, 3])"));
  ASSERT_FALSE(channels.ok());
  EXPECT_EQ(channels.error().text(),
            "error: step 2 normalize(mean=[1, 2, 3]): 3 values of the mean for 1 channels\n"
            "  hint: give one value, or one for each channel\n"
            "  [RIDGE-PIPE-0009]\n");
}

// What is inferred is what a run gives.
TEST(Shape, EqualsTheResults) {
  const Image image = testing::waves(37, 23, 3);
  const std::string file = testing::png_file(image);
  for (const std::string_view text :
       {"decode", "decode(gray) divide(3)", "decode resize(11, short, up) layout(chw)",
        "decode resize(20, inside) pad(20) cast(float32) layout(nhwc)",
        "decode resize(50x7, cubic, asymmetric) cast(uint8) layout(nchw)"}) {
    const auto steps = parse_steps(text);
    const auto shape = infer_shape(*steps, image.size());
    const auto tensor = preprocess(std::as_bytes(std::span(file)), *steps);
    ASSERT_TRUE(shape.ok() && tensor.ok()) << text;
    EXPECT_EQ(shape->dims(), tensor->dims) << text;
    EXPECT_EQ(shape->type == ElementType::kFloat32, tensor->is_float()) << text;
  }
}

}  // namespace
}  // namespace ridge::pipeline
