// SPDX-License-Identifier: Apache-2.0
#include "report/chart/free_labels.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

bool overlap(const TextBox& a, const TextBox& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(FreeLabels, LabelsOfMarksInOnePlaceDoNotOverlap) {
  FreeLabels labels;
  std::vector<TextBox> boxes;
  for (int i = 0; i < 12; ++i) boxes.push_back(labels.beside({300, 100, 5}, 80, 0, 960));
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(boxes[i], boxes[j])) << i << " " << j;
}

TEST(FreeLabels, StayInsideTheChart) {
  FreeLabels labels;
  const TextBox box = labels.beside({955, 100, 5}, 80, 72, 940);
  EXPECT_LE(box.x + box.width, 940);
  EXPECT_GE(labels.beside({74, 300, 5}, 80, 72, 940).x, 72);
}

TEST(FreeLabels, ATextThatRisesTakesThePlaceAlongItsBaseline) {
  FreeLabels labels;
  for (const TextBox& box : FreeLabels::along(100, 200, -1, 100)) labels.take(box);
  EXPECT_FALSE(labels.is_free({150, 140, 10}));
  EXPECT_TRUE(labels.is_free({150, 180, 10}));
}

TEST(FreeLabels, CountLettersAndNotBytes) { EXPECT_EQ(text_width("µs"), text_width("us")); }

}  // namespace
}  // namespace ridge::report
