// SPDX-License-Identifier: Apache-2.0
// Oracles: labels written out below.
#include "evaluation/data/sample_labels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::evaluation {
namespace {

const std::vector<std::string> kLabelFiles = {"a.jpg", "b 1.jpg", "c,d.png"};

/// "2 0 1 | notes", or the code and message of the error.
std::string read_labels(std::string_view text, const std::vector<std::string>& names = kLabelFiles,
                        Whole whole = Whole::kYes) {
  const auto labels = read_sample_labels(text, names, whole);
  if (!labels.ok()) return labels.error().code() + ": " + labels.error().message();
  std::string out = fmt::format("{}", fmt::join(labels->classes, " "));
  for (const std::string& note : labels->notes) out += " | " + note;
  return out;
}

TEST(SampleLabels, LinesAreInTheOrderOfTheSamplesOrNameThem) {
  EXPECT_EQ(read_labels("2\n0\n1\n"), "2 0 1");
  EXPECT_EQ(read_labels("c,d.png,1\nb 1.jpg,0\na.jpg,2\n"), "2 0 1");
}

TEST(SampleLabels, TheClassMayStandFirstAndTheSeparatorMayBeAnyOfFour) {
  EXPECT_EQ(read_labels("a.jpg 2\nb 1.jpg 0\nc,d.png 1\n"), "2 0 1");
  EXPECT_EQ(read_labels("2 a.jpg\n0 b 1.jpg\n1 c,d.png\n"), "2 0 1");
  EXPECT_EQ(read_labels("a.jpg\t2\r\nb 1.jpg\t0\r\nc,d.png\t1\r\n"), "2 0 1");
  EXPECT_EQ(read_labels("a.jpg;2\n\"b 1.jpg\";0\n\"c,d.png\";1\n"), "2 0 1");
  EXPECT_EQ(read_labels("val/a.jpg 2\nx\\b 1.jpg,0\nc,d.png,1\n"), "2 0 1");
  // The number that samples have is the name, in all lines alike.
  EXPECT_EQ(read_labels("0,5\n1,6\n17,0\n", {"0", "1"}, Whole::kNo), "5 6");
  EXPECT_EQ(read_labels("5 0\n6 1\n0 17\n", {"0", "1"}, Whole::kNo), "5 6");
}

TEST(SampleLabels, AMarkOfUtf8IsPassedOver) {
  EXPECT_EQ(read_labels("\xef\xbb\xbf"
                        "2\n0\n1\n"),
            "2 0 1");
  EXPECT_EQ(read_labels("\xef\xbb\xbf"
                        "a.jpg,2\nb 1.jpg,0\nc,d.png,1\n"),
            "2 0 1");
}

TEST(SampleLabels, ContradictionsAreRefused) {
  EXPECT_EQ(read_labels("a.jpg,2\na.jpg,1\nb 1.jpg,0\nc,d.png,1\n"),
            "RIDGE-WB-0112: line 2: sample 'a.jpg' has class 1 here and class 2 in line 1");
  EXPECT_EQ(read_labels("a.jpg,2\na.jpg,2\nb 1.jpg,0\nc,d.png,1\n"), "2 0 1");
}

TEST(SampleLabels, LinesWithAndWithoutNamesAreNotMixed) {
  EXPECT_EQ(read_labels("a.jpg,2\n0\n1\n"),
            "RIDGE-WB-0112: line 1 has a name and a class, line 2 a class alone");
  EXPECT_EQ(read_labels("2\n0\nc,d.png,1\n"),
            "RIDGE-WB-0112: line 3 has a name and a class, line 1 a class alone");
  EXPECT_EQ(read_labels("x.jpg,2\ny.jpg,0\nz.jpg,1\n"),
            "RIDGE-WB-0112: no line names a sample: 'x.jpg' is none");
}

TEST(SampleLabels, LabelsOfMissingSamplesAreSaid) {
  constexpr std::string_view kMore = "a.jpg,2\nb 1.jpg,0\nc,d.png,1\ne.jpg,0\nf.jpg,0\n";
  EXPECT_EQ(
      read_labels(kMore),
      "2 0 1 | 2 labels of samples that the data does not have are passed over: 'e.jpg', ...");
  EXPECT_EQ(read_labels(kMore, kLabelFiles, Whole::kNo), "2 0 1");  // --limit
  EXPECT_EQ(read_labels("a.jpg,2\n"), "RIDGE-WB-0112: sample 'b 1.jpg' has no label");
  EXPECT_EQ(read_labels("2\n0\n1\n1\n"), "RIDGE-WB-0212: there are 4 labels for 3 samples");
  EXPECT_EQ(read_labels("a.jpg,cat\n"), "RIDGE-WB-0112: line 1: it has no number of a class");
}

}  // namespace
}  // namespace ridge::evaluation
