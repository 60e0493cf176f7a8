// SPDX-License-Identifier: Apache-2.0
#include "pipeline/answer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/output_step_text.h"

namespace ridge::pipeline {
namespace {

std::vector<OutputStep> output_steps_of(std::string_view text,
                                        const std::vector<std::string>& names = {}) {
  auto steps = parse_output_steps(text).value();
  for (OutputStep& step : steps)
    if (auto* labels = std::get_if<Labels>(&step)) labels->names = names;
  return steps;
}

OutputValues output(std::vector<std::int64_t> dims, std::vector<float> values) {
  return {"y", std::move(dims), std::move(values)};
}

std::string answer_error(std::vector<OutputValues> outputs, std::string_view steps,
                         std::vector<std::string> names = {}) {
  const auto answer = answer_of(std::move(outputs), output_steps_of(steps, std::move(names)));
  return answer.ok() ? "" : answer.error().text();
}

TEST(Answer, WithoutStepsIsTheFirstOutputOfNumbers) {
  const Answer a = answer_of({output({2}, {}), output({3}, {1, 5, 2})}, {}).value();
  EXPECT_EQ(std::get<Scores>(a.value).values, (std::vector<float>{1, 5, 2}));
}

TEST(Answer, RanksAndNamesClasses) {
  const Answer a =
      answer_of({output({4}, {9, 1, 3, 2})},
                output_steps_of("drop_first(1) softmax top(2) labels(f)", {"a", "b", "c"}))
          .value();
  const auto& ranking = std::get<Ranking>(a.value);
  EXPECT_EQ(ranking.of, 3U);
  EXPECT_EQ(ranking.classes[0].index, 1);
  EXPECT_EQ(ranking.classes[1].index, 2);
  EXPECT_NEAR(ranking.classes[0].score,
              std::exp(3.0) / (std::exp(1.0) + std::exp(3.0) + std::exp(2.0)), 1e-6);
  EXPECT_EQ(a.names, (std::vector<std::string>{"b", "c"}));
}

TEST(Answer, DetectsBoxesAndSuppressesThoseOfOneObject) {
  // Two boxes that overlap by 9 of 11, one apart; two classes.
  const auto boxes = output({3, 4}, {0, 0, 10, 10, 0, 1, 10, 11, 50, 50, 60, 60});
  const auto scores = output({3, 2}, {0.9F, 0, 0.8F, 0.3F, 0, 0.7F});
  const Answer a =
      answer_of({boxes, scores}, output_steps_of("boxes(corners, score=0.25, overlap=0.5)"))
          .value();
  const auto& found = std::get<Detections>(a.value);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].index, 0);
  EXPECT_EQ(found[1].label, 1);
  EXPECT_EQ(found[1].index, 2);
  EXPECT_EQ(found[2].index, 1);  // as class 1, which nothing suppresses
}

TEST(Answer, TakesBoxesThatHaveTheirClass) {
  const Answer a = answer_of({output({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), output({2}, {0.4F, 0.9F}),
                              output({2}, {7, 3})},
                             output_steps_of("boxes(corners_y_first, classes=2)"))
                       .value();
  const auto& found = std::get<Detections>(a.value);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].label, 3);
  EXPECT_EQ(found[0].box, (Box{6, 5, 8, 7}));
}

TEST(Answer, FindsTheClassOfEveryPixelInBothLayouts) {
  const std::vector<float> planes = {1, 5, 0, 2, 3, 4, 9, 1};  // two classes of 2 x 2 pixels
  const std::vector<float> pixels = {1, 3, 5, 4, 0, 9, 2, 1};
  const std::vector<std::int32_t> expected = {1, 0, 1, 0};
  const auto mask_of = [](OutputValues values, std::string_view steps) {
    return std::get<Mask>(answer_of({std::move(values)}, output_steps_of(steps)).value().value)
        .classes;
  };
  EXPECT_EQ(mask_of(output({2, 2, 2}, planes), "masks(chw)"), expected);
  EXPECT_EQ(mask_of(output({2, 2, 2}, pixels), "masks(hwc)"), expected);
  EXPECT_EQ(mask_of(output({2, 2}, {0.1F, 0.6F, 0.5F, 1}), "masks(above=0.5)"),
            (std::vector<std::int32_t>{0, 1, 0, 1}));
}

TEST(Answer, MakesImagesWithChannelsLast) {
  const Answer a =
      answer_of({output({3, 1, 2}, {1, 2, 3, 4, 5, 6})}, output_steps_of("image(chw, multiply=10)"))
          .value();
  const auto& image = std::get<FloatImage>(a.value);
  EXPECT_EQ(image.size(), (Size{2, 1}));
  EXPECT_EQ(image.data, (std::vector<float>{10, 30, 50, 20, 40, 60}));
}

TEST(Answer, ReadsTheGreedyPathOfCtc) {
  // Positions say: -, a, a, -, a, b, b.
  std::vector<float> scores;
  for (const int at : {0, 1, 1, 0, 1, 2, 2})
    for (int c = 0; c < 3; ++c) scores.push_back(c == at ? 1.F : 0.F);
  const std::vector<std::string> names = {"-", "a", "b"};
  const auto text_of = [&](std::string_view steps) {
    return answer_of({output({7, 3}, scores)}, output_steps_of(steps, names)).value().text();
  };
  EXPECT_EQ(text_of("ctc labels(f)"), "aab");
  EXPECT_EQ(text_of("ctc"), "112");
  EXPECT_EQ(text_of("words labels(f)"), "- a a - a b b");
}

TEST(Answer, OutputsThatDoNotFitAreRefused) {
  const auto three = output({3}, {1, 2, 3});
  EXPECT_EQ(answer_error({three}, "top(1, output=2)"),
            "error: step 1 top(1, output=2): the model has no output 2 of numbers for each sample\n"
            "  hint: it has 1, counted from 0: output=N\n"
            "  [RIDGE-PIPE-0033]\n");
  EXPECT_EQ(answer_error({three}, "masks(chw)"),
            "error: step 1 masks(chw): output 'y' has a shape of 3 for a sample, an image has two "
            "or three axes\n"
            "  [RIDGE-PIPE-0033]\n");
  EXPECT_EQ(answer_error({three}, "drop_first(3)"),
            "error: step 1 drop_first(3): output 'y' has a shape of 3 for a sample, of which 3 "
            "cannot be left out\n"
            "  [RIDGE-PIPE-0033]\n");
  EXPECT_EQ(answer_error({three}, "top(1) softmax"),
            "error: step 2 softmax: the answer is made already\n"
            "  hint: put it before\n"
            "  [RIDGE-PIPE-0034]\n");
  EXPECT_EQ(answer_error({three}, "labels(f)"),
            "error: step 1 labels(\"f\"): nothing has classes to name yet\n"
            "  hint: put it after top(5)\n"
            "  [RIDGE-PIPE-0034]\n");
  EXPECT_EQ(answer_error({three}, "top(1) labels(f)", {"a", "b"}),
            "error: step 2 labels(\"f\"): 2 labels, the model has 3 classes\n"
            "  hint: if class 0 is the background, put a line for it at the top\n"
            "  [RIDGE-PIPE-0031]\n");
}

}  // namespace
}  // namespace ridge::pipeline
