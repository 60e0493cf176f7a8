// SPDX-License-Identifier: Apache-2.0
#include "manifest/run_steps.h"

#include <gtest/gtest.h>

#include "manifest/manifest_reader.h"
#include "manifest/pipeline.h"
#include "pipeline/step_text.h"

namespace ridge::manifest {
namespace {

/// Steps of an input, as YAML, and what runs for them.
std::string run(const std::string& yaml) {
  const auto read = read_manifest(
      "name: a\nversion: 1.0\ninputs:\n  - type: image\n    steps:\n" + yaml, Syntax::kYaml);
  if (!read.ok()) return read.error().text();
  const auto pipeline = pipeline_of(std::get<ModelManifest>(*read), Prefer::kNeither);
  if (!pipeline.ok()) return pipeline.error().text();
  const auto steps = input_steps(pipeline->before[0]);
  return steps.ok() ? pipeline::print_steps(*steps) : steps.error().text();
}

TEST(RunSteps, NamesOfTheThesisRun) {
  EXPECT_EQ(run("      - decode: {data_layout: NHWC, color_mode: RGB, element_type: uint8}\n"
                "      - resize: {dimensions: [3, 224, 256], method: bilinear, "
                "keep_aspect_ratio: false}\n"
                "      - normalize: {mean: [123.68, 116.78, 103.94], rescale: 2}\n"),
            "decode(rgb) resize(256x224, bilinear, pillow) "
            "normalize(mean=[123.68, 116.78, 103.94], std=[2]) layout(nhwc)");
  EXPECT_EQ(run("      - decode: {color_mode: BGR, element_type: float32, data_layout: CHW}\n"
                "      - layout: {data_layout: NCHW}\n"),
            "decode(bgr) cast(float32) layout(nchw)");
  EXPECT_EQ(run("      - decode: {}\n      - resize: {dimensions: [224, 256, 3]}\n"
                "      - crop: {dimensions: [20, 30]}\n"),
            "decode(rgb) resize(256x224, bilinear, pillow) crop(30x20)");
}

TEST(RunSteps, TheTextOfTheCommandLineIsUnderstood) {
  EXPECT_EQ(run("      - decode(bgr, exif) resize(256, short, area, opencv)\n"
                "      - crop: {height: 224, width: 224, rounding: floor}\n"
                "      - subtract(values=[1, 2, 3])\n      - layout\n"),
            "decode(bgr, exif) resize(256, short, area, opencv) crop(224, down) "
            "subtract(values=[1, 2, 3]) layout(nchw)");
}

TEST(RunSteps, OpencvResizesFloats) {
  const std::string text = "decode(rgb, exif) cast(float32) resize(9, linear, opencv)";
  EXPECT_EQ(run("      - " + text + "\n"), text);
  EXPECT_EQ(run("      - decode\n      - divide(255)\n      - resize: {short: 9, method: "
                "opencv_area}\n"),
            "error: line 8, column 9 > step 3 resize(9, short, area, opencv): OpenCV's area and "
            "cubic take 8-bit images here, the values are float32\n"
            "  hint: resize before the values are computed with, or use 'linear'\n"
            "  [RIDGE-PIPE-0015]\n");
}

TEST(RunSteps, WhatCannotRunIsRefusedWithItsLine) {
  EXPECT_EQ(
      run("      - decode\n      - resize: {dimensions: [3, 4, 5], keep_aspect_ratio: true}\n"),
      "error: line 7, column 9: 'keep_aspect_ratio' of 'resize' does not say what to "
      "compute: true\n  hint: write short=N and a crop, or inside=N and a pad, instead of "
      "it\n  [RIDGE-MAN-0081]\n");
  EXPECT_EQ(run("      - decode: {element_type: int8}\n"),
            "error: line 6, column 9: 'element_type' of 'decode' does not say what to compute: "
            "int8\n  hint: images have elements of uint8; add a cast(float32) for others\n"
            "  [RIDGE-MAN-0081]\n");
  EXPECT_EQ(run("      - resize: {dimensions: [1, 2, 3, 4]}\n"),
            "error: line 6, column 9: 'dimensions' of 'resize' does not say what to compute: "
            "1, 2, 3, 4\n  hint: write height= and width=\n  [RIDGE-MAN-0081]\n");
  EXPECT_EQ(run("      - decode\n      - argsort\n"),
            "error: line 7, column 9: 'argsort' is a step after the run, not before it\n"
            "  hint: state it in the steps of an output\n  [RIDGE-MAN-0080]\n");
  EXPECT_EQ(run("      - decode\n      - resize: {short: 256, method: opencv_lanczos4}\n"),
            "error: line 7, column 9: 'resize' has no argument 'lanczos4'\n"
            "  hint: possible here: short=, down, half_up, up, truncate, opencv, linear, nearest, "
            "area, cubic, bilinear, bicubic\n  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(run("      - decode: {colour_mode: RGB}\n"),
            "error: line 6, column 9: 'decode' has no argument 'colour_mode='\n"
            "  hint: did you mean 'color_mode='?\n  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(run("      - crop(9)\n      - decode\n"),
            "error: line 7, column 9 > step 2 decode(rgb): the file is decoded by the first step, "
            "and by no other\n"
            "  [RIDGE-PIPE-0013]\n");
}

}  // namespace
}  // namespace ridge::manifest
