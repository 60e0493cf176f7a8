// SPDX-License-Identifier: Apache-2.0
#include "pipeline/boxes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(BoxesSlow, SuppressionEqualsOnnxRuntimes) {
  const OracleCases oracle = oracle_cases("boxes 8");
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  for (const OracleCase& c : oracle.cases) {
    DetectionRule rule;
    rule.overlap = std::stod(c.words[1]);
    rule.score = std::stof(c.words[2]);
    rule.most = 100'000;
    const auto found =
        detections(c.floats(0), c.floats(1), static_cast<std::size_t>(c.number(0)), rule);
    ASSERT_TRUE(found.ok());
    std::set<std::pair<std::int64_t, std::int64_t>> ours, theirs;
    for (const Detection& d : *found) ours.emplace(d.label, d.index);
    std::vector<std::int64_t> pairs(c.blobs[2].size() / sizeof(std::int64_t));
    std::memcpy(pairs.data(), c.blobs[2].data(), c.blobs[2].size());
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) theirs.emplace(pairs[i], pairs[i + 1]);
    EXPECT_EQ(ours, theirs);
  }
}

TEST(Boxes, FormatsBecomeCorners) {
  const Box box{10, 20, 30, 60};
  EXPECT_EQ(corners({10, 20, 30, 60}, BoxFormat::kCorners), box);
  EXPECT_EQ(corners({20, 10, 60, 30}, BoxFormat::kCornersYFirst), box);
  EXPECT_EQ(corners({10, 20, 20, 40}, BoxFormat::kCornerSize), box);
  EXPECT_EQ(corners({20, 40, 20, 40}, BoxFormat::kCenterSize), box);
}

// Counted in cells of a grid.
TEST(Boxes, OverlapIsSharedCellsOverAllCells) {
  const std::vector<Box> boxes = {{0, 0, 4, 4}, {2, 1, 6, 3}, {4, 0, 5, 4},
                                  {1, 1, 3, 3}, {3, 3, 3, 5}, {5, 4, 2, 1}};
  for (const Box& a : boxes)
    for (const Box& b : boxes) {
      int both = 0, any = 0;
      for (float y = 0; y < 8; ++y)
        for (float x = 0; x < 8; ++x) {
          const auto has = [&](const Box& box) {
            return box.left <= x && x < box.right && box.top <= y && y < box.bottom;
          };
          both += has(a) && has(b) ? 1 : 0;
          any += has(a) || has(b) ? 1 : 0;
        }
      EXPECT_DOUBLE_EQ(overlap(a, b), any == 0 ? 0 : static_cast<double>(both) / any);
    }
}

TEST(Boxes, KeepTheBestOfAnImage) {
  const std::vector<float> boxes{0, 0, 4, 4, 0, 0, 4, 4, 8, 8, 9, 9};
  const std::vector<float> scores{0.9F, 0.8F, 0.2F, 0.8F, 0.9F, 0.1F};
  DetectionRule rule;
  const auto all = detections(boxes, scores, 2, rule);
  ASSERT_TRUE(all.ok());
  const std::vector<Detection> expected = {{{0, 0, 4, 4}, 0, 0.9F, 0},
                                           {{8, 8, 9, 9}, 0, 0.9F, 2},
                                           {{0, 0, 4, 4}, 1, 0.8F, 0},
                                           {{8, 8, 9, 9}, 1, 0.1F, 2}};
  EXPECT_EQ(*all, expected);
  rule.most = 1;
  rule.first_class = 1;
  const auto one = detections(boxes, scores, 2, rule);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(*one, std::vector<Detection>{expected[2]});
}

TEST(Boxes, LengthsFitEachOther) {
  const std::vector<float> five(5), three(3);
  const auto found = detections(five, three, 3, {});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().text(),
            "error: 5 values of boxes and 3 scores of 3 classes\n"
            "  hint: each box has four values, and a score for each class\n"
            "  [RIDGE-PIPE-0032]\n");
}

// As catalogues of SSD write it: classes = argmax(scores, axis=1), scores = max(scores, axis=1), class
// 0 skipped. Box 0 is background, box 1 class 1, box 2 class 2, box 3 class 2 with a low score.
TEST(Detections, TheBestClassOfEachBoxIsItsOnlyOne) {
  const std::vector<float> boxes = {0, 0, 1, 1, 0, 0, 2, 2, 0, 0, 3, 3, 0, 0, 4, 4};
  const std::vector<float> scores = {0.6F, 0.3F, 0.1F, 0.1F, 0.5F, 0.4F,
                                     0.2F, 0.2F, 0.6F, 0.1F, 0.1F, 0.2F};
  DetectionRule rule{.score = 0, .overlap = 1, .first_class = 1};
  rule.classes_of = ClassesOf::kBest;
  const auto found = detections(boxes, scores, 3, rule).value();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], (Detection{{0, 0, 3, 3}, 2, 0.6F, 2}));
  EXPECT_EQ(found[1], (Detection{{0, 0, 2, 2}, 1, 0.5F, 1}));
  EXPECT_EQ(found[2], (Detection{{0, 0, 4, 4}, 2, 0.2F, 3}));
  rule.until = 0.55F;  // ends at box 1, the first that is not background and lower
  EXPECT_EQ(detections(boxes, scores, 3, rule)->size(), 0U);
  rule = {.score = 0, .overlap = 1, .first_class = 1};
  EXPECT_EQ(detections(boxes, scores, 3, rule)->size(), 8U);  // every pair of a box and a class
}

}  // namespace
}  // namespace ridge::pipeline
