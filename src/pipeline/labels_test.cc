// SPDX-License-Identifier: Apache-2.0
#include "pipeline/labels.h"

#include <gtest/gtest.h>

namespace ridge::pipeline {
namespace {

std::string labels_error(const Result<std::vector<std::string>>& labels) {
  return labels.ok() ? "" : labels.error().text();
}

TEST(Labels, AreLines) {
  const auto labels = parse_labels("n01440764 tench, Tinca tinca\r\ngoldfish\n\nshark\n\n");
  ASSERT_TRUE(labels.ok());
  EXPECT_EQ(*labels,
            (std::vector<std::string>{"n01440764 tench, Tinca tinca", "goldfish", "", "shark"}));
}

TEST(Labels, AreBounded) {
  EXPECT_EQ(labels_error(parse_labels("")), "error: the file has no labels\n  [RIDGE-PIPE-0030]\n");
  EXPECT_TRUE(parse_labels(std::string(1000, 'b')).ok());
  EXPECT_EQ(labels_error(parse_labels("a\n" + std::string(1001, 'b'))),
            "error: line 2: the label has 1001 bytes, the limit is 1000\n  [RIDGE-PIPE-0030]\n");
  EXPECT_EQ(labels_error(parse_labels(std::string((std::size_t{16} << 20) + 1, '\n'))),
            "error: the labels have 16777217 bytes, the limit is 16777216\n  [RIDGE-PIPE-0030]\n");
  std::string many;
  for (int i = 0; i < 1'000'001; ++i) many += "a\n";
  EXPECT_EQ(labels_error(parse_labels(many)),
            "error: more than 1000000 labels\n  [RIDGE-PIPE-0030]\n");
}

TEST(Labels, AreAsManyAsClasses) {
  EXPECT_TRUE(check_labels(1000, 1000).ok());
  EXPECT_EQ(check_labels(1000, 1001).error().text(),
            "error: 1000 labels, the model has 1001 classes\n"
            "  hint: if class 0 is the background, put a line for it at the top\n"
            "  [RIDGE-PIPE-0031]\n");
  EXPECT_EQ(check_labels(80, 1000).error().text(),
            "error: 80 labels, the model has 1000 classes\n"
            "  hint: use the labels that the model was trained with\n"
            "  [RIDGE-PIPE-0031]\n");
}

}  // namespace
}  // namespace ridge::pipeline
