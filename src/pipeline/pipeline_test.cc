// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pipeline.h"

#include <gtest/gtest.h>

#include "pipeline/step_text.h"
#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(PipelineSlow, GivesTheReferencesInputsBitForBit) {
  const OracleCases oracle = oracle_cases("pipelines 5 " + photos());
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  std::int64_t compared = 0;
  for (const OracleCase& c : oracle.cases) {
    const auto steps = parse_steps(c.blobs[1]);
    ASSERT_TRUE(steps.ok()) << steps.error().text();
    const auto ours = preprocess(bytes_of(c.blobs[0]), *steps);
    ASSERT_TRUE(ours.ok()) << ours.error().text();
    std::vector<std::int64_t> dims;
    for (std::size_t i = 1; i < c.words.size(); ++i) dims.push_back(c.number(i));
    EXPECT_EQ(ours->dims, dims);
    const std::vector<float> theirs = c.floats(2);
    EXPECT_EQ(ours->floats(), theirs) << c.words[0];
    compared += static_cast<std::int64_t>(theirs.size());
  }
  record("compared", fmt::format("{} values of {} inputs", compared, oracle.cases.size()));
}

std::vector<Step> input_steps_of(std::string_view text) { return parse_steps(text).value(); }

Image ramp(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  for (int i = 0; i < width * height * channels; ++i)
    image.data.push_back(static_cast<std::uint8_t>(i * 7));
  return image;
}

TEST(Pipeline, TakesImagesThatAreNoFiles) {
  const auto digit = preprocess(ramp(2, 2, 1), input_steps_of("divide(255) layout(nchw)"));
  ASSERT_TRUE(digit.ok());
  EXPECT_EQ(digit->dims, (std::vector<std::int64_t>{1, 1, 2, 2}));
  EXPECT_EQ(digit->floats(), (std::vector<float>{0, 7 / 255.F, 14 / 255.F, 21 / 255.F}));
}

TEST(Pipeline, KeepsBytesWhereNothingIsComputed) {
  const auto tensor = preprocess(ramp(2, 1, 3), input_steps_of("reverse_channels layout(chw)"));
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(tensor->elements),
            (std::vector<std::uint8_t>{14, 35, 7, 28, 0, 21}));
}

TEST(Pipeline, ReportsEachStepWhenItIsDone) {
  std::vector<std::size_t> done;
  const auto note = [&](std::size_t step, Size) { done.push_back(step); };
  ASSERT_TRUE(
      preprocess(ramp(4, 4, 3), input_steps_of("crop(2) divide(255) layout(nchw)"), note).ok());
  EXPECT_EQ(done, (std::vector<std::size_t>{0, 1, 2}));
  done.clear();
  const std::string png(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\0\0\0\0:~\x9bU"
      "\0\0\0\nIDATx\x9c\x63\x60\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xae"
      "B`\x82",
      67);
  ASSERT_TRUE(preprocess(bytes_of(png), input_steps_of("decode(gray)"), note).ok());
  EXPECT_EQ(done, (std::vector<std::size_t>{0}));
  ASSERT_FALSE(preprocess(ramp(4, 4, 3), input_steps_of("divide(255) crop(9)"), note).ok());
}

TEST(Pipeline, NamesTheStepThatFails) {
  const auto small = preprocess(ramp(8, 6, 3), input_steps_of("reverse_channels crop(7)"));
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error().text(),
            "error: step 2 crop(7): a part of 7 x 7 pixels in an image of 8 x 6\n"
            "  hint: resize to at least that size before, or pad\n"
            "  [RIDGE-PIPE-0007]\n");
  const auto text = preprocess(bytes_of("<html>"), input_steps_of("decode"));
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().text(),
            "error: step 1 decode(rgb): the file is neither JPEG nor PNG\n"
            "  it begins with 3c 68 74 6d 6c 3e\n"
            "  hint: convert it to PNG, which loses nothing\n"
            "  [RIDGE-PIPE-0002]\n");
}

TEST(Pipeline, RefusesStepsBeforeItDecodes) {
  const auto file = bytes_of("");
  const auto twice = preprocess(file, input_steps_of("decode(rgb) decode(rgb)"));
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().text(),
            "error: step 2 decode(rgb): the file is decoded by the first step, and by no other\n"
            "  [RIDGE-PIPE-0013]\n");
  const auto late =
      preprocess(file, input_steps_of("decode divide(255) resize(8, bilinear, pillow)"));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().text(),
            "error: step 3 resize(8, bilinear, pillow): Pillow's resizers take 8-bit images, the "
            "values are float32 here\n"
            "  hint: resize before the values are computed with, or use 'half_pixel'\n"
            "  [RIDGE-PIPE-0014]\n");
  const auto after = preprocess(file, input_steps_of("decode layout(nchw) crop(2)"));
  ASSERT_FALSE(after.ok());
  EXPECT_EQ(after.error().text(),
            "error: step 2 layout(nchw): no step can follow the layout\n"
            "  hint: put it at the end\n"
            "  [RIDGE-PIPE-0013]\n");
  const auto none = preprocess(file, {});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().text(),
            "error: a pipeline begins with 'decode'\n"
            "  hint: add decode(rgb)\n"
            "  [RIDGE-PIPE-0013]\n");
}

}  // namespace
}  // namespace ridge::pipeline
