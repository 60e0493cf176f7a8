// SPDX-License-Identifier: Apache-2.0
#include "pipeline/output_step_text.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

std::string output_step_error(std::string_view text) {
  const auto steps = parse_output_steps(text);
  return steps.ok() ? "" : steps.error().text();
}

TEST(OutputStepText, ReadsAClassifiersSteps) {
  const auto steps = parse_output_steps("softmax top(3) labels(data/imagenet_classes.txt)");
  ASSERT_TRUE(steps.ok()) << steps.error().text();
  const std::vector<OutputStep> expected = {Softmax{}, Top{3, 0},
                                            Labels{"data/imagenet_classes.txt", {}}};
  EXPECT_TRUE(*steps == expected);
}

TEST(OutputStepText, PrintsWhatItReads) {
  const std::string every_box =
      "boxes(center_size, shares, score=0.25, overlap=0.45, most=300, first_class=1, boxes=2, "
      "scores=0, classes=3)";
  const std::string best_class =
      "boxes(corners, shares, best_class, score=0, overlap=1, until=0.5, first_class=1)";
  for (const std::string& text : std::vector<std::string>{
           "softmax", "softmax(output=1)", "drop_first(1)", "top(5)", "argsort(output=2)",
           "boxes(corners, score=0.05, overlap=0.5)", every_box, best_class, "masks(hwc)",
           "masks(chw, above=0.5)", "image(chw, multiply=255)", "ctc", "words(output=1)",
           "labels(\"my classes, new.txt\")", "softmax top(1) labels(\"a.txt\")"}) {
    const auto steps = parse_output_steps(text);
    ASSERT_TRUE(steps.ok()) << steps.error().text();
    EXPECT_EQ(print_output_steps(*steps), text);
  }
}

TEST(OutputStepText, FaultsHaveTheirColumn) {
  EXPECT_EQ(output_step_error("softmax topp(5)"),
            "error: column 9: unknown step 'topp'\n"
            "  hint: did you mean 'top'?\n"
            "  [RIDGE-PIPE-0021]\n");
  EXPECT_EQ(output_step_error("labels"),
            "error: column 1: 'labels' lacks a file with a label on each line\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(output_step_error("top(2.5)"),
            "error: column 1: 'top' lacks a whole number for 'most'\n"
            "  [RIDGE-PIPE-0023]\n");
  EXPECT_EQ(output_step_error("boxes(xyxy)"),
            "error: column 7: 'boxes' has no argument 'xyxy'\n"
            "  hint: possible here: corners, corners_y_first, corner_size, center_size, pixels, "
            "shares, every_class, best_class, until=, score=, overlap=, most=, first_class=, "
            "boxes=, scores=, classes=\n"
            "  [RIDGE-PIPE-0022]\n");
  EXPECT_EQ(parse_output_steps("labels(\"a").error().message(), "the text has no closing '\"'");
}

}  // namespace
}  // namespace ridge::pipeline
