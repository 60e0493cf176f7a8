// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_text.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

std::string step_error(std::string_view text) {
  const auto steps = parse_steps(text);
  return steps.ok() ? "" : steps.error().text();
}

TEST(StepText, ReadsThePipelineOfTorchvision) {
  const auto steps = parse_steps(
      "decode(rgb) resize(256, short, bilinear, pillow) crop(224)\n"
      "normalize(divide=255, mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]) layout(nchw)");
  ASSERT_TRUE(steps.ok()) << steps.error().text();
  const std::vector<Step> expected = {
      Decode{}, Resize{{Fit::kShort, {256, 256}, SideRounding::kDown}, PillowResize{}},
      Crop{{224, 224}, Anchor::kCenter, CropRounding::kHalfEven},
      Normalize{255, {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}, Arithmetic::kFloat},
      Arrange{Layout::kNchw}};
  EXPECT_TRUE(*steps == expected);
}

TEST(StepText, PrintsWhatItReads) {
  for (const std::string text : {"decode(rgb)",
                                 "decode(gray, exif, ifast, box)",
                                 "decode(bgr)",
                                 "reverse_channels",
                                 "resize(224, bilinear, pillow)",
                                 "resize(640x480, inside, half_up, lanczos, pillow12)",
                                 "resize(256, short, area, opencv)",
                                 "resize(300, nearest, opencv)",
                                 "resize(299, linear, half_pixel)",
                                 "resize(65, up, cubic, align_corners)",
                                 "resize(8x9, nearest, asymmetric, nearest_floor)",
                                 "crop(224)",
                                 "crop(20x30, top_left, down)",
                                 "pad(640, value=114)",
                                 "pad(9, top_left)",
                                 "cast(float32)",
                                 "cast(uint8)",
                                 "divide(255)",
                                 "add(values=[1, 2.5, -1e-05])",
                                 "subtract(0.5, double)",
                                 "multiply(2)",
                                 "normalize(mean=[127], std=[128])",
                                 "normalize(divide=255, std=[0.25, 0.5, 1], double)",
                                 "normalize",
                                 "layout(nhwc)",
                                 "bytes(begin=1024, end=1024, block=4096, space)",
                                 "bytes(end=3, pad=0)",
                                 "tokens(file=\"a b/tokenizer.json\", length=128)",
                                 "tokens(file=\"t.json\", length=8, pad=\"[PAD]\", ids=\"x\", "
                                 "mask=\"m\", types=\"s\")",
                                 "decode(rgb) crop(224) layout(hwc)"}) {
    const auto steps = parse_steps(text);
    ASSERT_TRUE(steps.ok()) << steps.error().text();
    EXPECT_EQ(print_steps(*steps), text);
  }
}

TEST(StepText, StepsOfTextsStateTheirLengths) {
  EXPECT_EQ(*parse_steps("tokens(t.json, length=8)"),
            *parse_steps("tokens(length=8, file=t.json)"));
  EXPECT_EQ(step_error("bytes"),
            "error: column 1: 'bytes' lacks begin=N, end=N or both\n  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("tokens(t.json)"),
            "error: column 1: 'tokens' lacks length=N, the number of tokens of a sample\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("bytes(begin=1.5)"),
            "error: column 1: 'bytes' lacks a whole begin= from 0 to 1048576\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("tokens(file=\"t.json, length=8)"),
            "error: column 8: the text has no closing '\"'\n  hint: steps look like: decode(rgb) "
            "resize(256, short) crop(224) layout(nchw)\n  [RIDGE-PIPE-0020]\n");
}

TEST(StepText, OrderAndBlanksAreFree) {
  const auto steps = parse_steps(" resize ( opencv ,short,\t256 )\r\n pad(value=1,8)");
  ASSERT_TRUE(steps.ok()) << steps.error().text();
  EXPECT_EQ(print_steps(*steps), "resize(256, short, linear, opencv) pad(8, value=1)");
  EXPECT_EQ(parse_steps("")->size(), 0U);
}

TEST(StepText, KeysSayWhatTheWordsAreAbout) {
  for (const auto& [text, printed] :
       {std::pair{"decode(library=opencv, color_mode=RGB)", "decode(rgb, exif)"},
        {"decode(library=opencv, orientation=stored, color_mode=L)",
         "decode(gray, opencv, unturned)"},
        {"decode(gray, opencv)", "decode(gray, opencv, exif)"},
        {"decode(color_mode=bgr, dct=ifast, chroma=box)", "decode(bgr, ifast, box)"},
        {"resize(short=256, method=pillow_bilinear, rounding=truncate)",
         "resize(256, short, bilinear, pillow)"},
        {"resize(height=480, width=640, method=opencv_area)", "resize(640x480, area, opencv)"},
        {"resize(inside=224, method=pytorch_half_pixel_cubic, rounding=up)",
         "resize(224, inside, up, cubic, pytorch_half_pixel)"},
        {"resize(9, library=align_corners, filter=nearest, nearest=nearest_ceil)",
         "resize(9, nearest, align_corners, nearest_ceil)"},
        {"resize(9, method=lanczos)", "resize(9, lanczos, pillow)"},
        {"crop(height=2, width=3, rounding=floor, anchor=center)", "crop(3x2, down)"},
        {"normalize(divide=255, arithmetic=float64)", "normalize(divide=255, double)"},
        {"cast(type=uint8) layout(order=CHW)", "cast(uint8) layout(chw)"}}) {
    const auto steps = parse_steps(text);
    ASSERT_TRUE(steps.ok()) << steps.error().text();
    EXPECT_EQ(print_steps(*steps), printed);
  }
  EXPECT_EQ(step_error("crop(224, rounding=up)"),
            "error: column 11: 'crop' has no rounding 'up'\n"
            "  hint: possible here: half_even, down, floor\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("decode(rgb, color_mode=bgr)"),
            "error: column 13: 'decode' has 'color_mode=' twice\n"
            "  hint: keep one of them\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("decode(rgb, bgr)"),
            "error: column 13: 'decode' has 'bgr' twice\n"
            "  hint: keep one of them\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("resize(9, method=opencv_lanczos4)"),
            "error: column 11: 'resize' has no argument 'lanczos4'\n"
            "  hint: possible here: short=, inside=, exact, short, inside, down, half_up, up, "
            "truncate, opencv, linear, nearest, area, cubic, bilinear, bicubic\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("resize(short=0)"),
            "error: column 1: 'resize' lacks a whole short= from 1 to 1048576\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("crop(height=3)"),
            "error: column 1: 'crop' lacks a size, as in 224 or 640x480\n"
            "  [RIDGE-PIPE-0023]\n");
}

TEST(StepText, UnknownWordsGetSuggestions) {
  EXPECT_EQ(step_error("decode(rgb) resise(224)"),
            "error: column 13: unknown step 'resise'\n"
            "  hint: did you mean 'resize'?\n"
            "  [RIDGE-PIPE-0021]\n");
  EXPECT_EQ(step_error("decode(rgb) resize(224, biliner)"),
            "error: column 25: 'resize' has no argument 'biliner'\n"
            "  hint: did you mean 'bilinear'?\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("crop(224, middle)"),
            "error: column 11: 'crop' has no argument 'middle'\n"
            "  hint: possible here: center, top_left, half_even, down, floor\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("normalize(means=[1])"),
            "error: column 11: 'normalize' has no argument 'means='\n"
            "  hint: did you mean 'mean='?\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(step_error("decode(rgb, rgb)"),
            "error: column 13: 'decode' has 'rgb' twice\n"
            "  hint: keep one of them\n"
            "  [RIDGE-PIPE-0022]\n");
}

TEST(StepText, MissingArgumentsAreNamed) {
  EXPECT_EQ(step_error("decode(rgb) crop(center)"),
            "error: column 13: 'crop' lacks a size, as in 224 or 640x480\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("divide"),
            "error: column 1: 'divide' lacks a number, or values=[...]\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("pad(9, value=256)"),
            "error: column 1: 'pad' lacks a whole value from 0 to 255\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(step_error("resize(2x3, short)"),
            "error: column 1: 'resize' lacks one length for the short side, not two\n"
            "  [RIDGE-PIPE-0023]\n");
}

TEST(StepText, MalformedTextHasItsColumn) {
  const std::string hint =
      "  hint: steps look like: decode(rgb) resize(256, short) crop(224) layout(nchw)\n"
      "  [RIDGE-PIPE-0020]\n";
  EXPECT_EQ(step_error("decode(rgb"),
            "error: column 11: ',' or ')' is expected here, to go on with 'decode' or to end it\n" +
                hint);
  EXPECT_EQ(step_error("decode(rgb,)"), "error: column 12: an argument is expected here\n" + hint);
  EXPECT_EQ(step_error("decode(rgb); crop(2)"),
            "error: column 12: the name of a step is expected here\n" + hint);
  EXPECT_EQ(step_error("normalize(mean=[1, 2"), "error: column 17: the list has no ']'\n" + hint);
  EXPECT_EQ(step_error("normalize(mean=)"), "error: column 16: a value is expected here\n" + hint);
  EXPECT_EQ(step_error("normalize(mean=[1, x])"), "error: column 11: 'x' is no number\n" + hint);
  EXPECT_EQ(step_error("divide(values=1e999)"), "error: column 8: '1e999' is no number\n" + hint);
  std::string many;
  for (int i = 0; i < 65; ++i) many += "cast ";
  EXPECT_EQ(step_error(many), "error: column 321: more than 64 steps\n" + hint);
  std::string long_list = "decode(a";
  for (int i = 0; i < 64; ++i) long_list += ",a";
  EXPECT_EQ(step_error(long_list), "error: column 136: more than 64 arguments\n" + hint);
  EXPECT_EQ(step_error(std::string(70'000, ' ')),
            "error: column 65537: the text has 70000 bytes, the limit is 65536\n" + hint);
}

}  // namespace
}  // namespace ridge::pipeline
