// SPDX-License-Identifier: Apache-2.0
// Oracles: files written out below, and which text each sample has by hand.
#include "evaluation/data/text_truth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;

const std::vector<std::string> kTextFiles = {"a.png", "b 1.png"};
const std::vector<std::string> kNumbers = {"0", "1"};

/// "text/other|text | note" by sample, or the message of the error.
std::string read_truths(std::string_view content,
                        const std::vector<std::string>& names = kTextFiles,
                        Whole whole = Whole::kYes) {
  const TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  const std::string path = folder.path() + "/texts";
  EXPECT_TRUE(write_file(path, content).ok());
  const std::vector<std::string> labels;
  const Result<TextTruth> truth = read_text_truth({path, names, labels, whole});
  if (!truth.ok()) return truth.error().message();
  std::string out;
  for (const auto& texts : truth->texts)
    out += fmt::format("{}{}", out.empty() ? "" : "|", fmt::join(texts, "/"));
  for (const std::string& note : truth->notes) out += " | " + note;
  return out;
}

TEST(TextTruth, LinesAreNamedOrInTheOrderOfTheSamples) {
  EXPECT_EQ(read_truths("cat\ndog, red\n"), "cat|dog, red");
  EXPECT_EQ(read_truths("b 1.png,dog\na.png,cat\n"), "cat|dog");
  EXPECT_EQ(read_truths("\"b 1.png\",dog, red\r\na.png,cat\r\n"), "cat|dog, red");
  EXPECT_EQ(read_truths("b 1.png\tdog\na.png\tcat\n"), "cat|dog");
  EXPECT_EQ(read_truths("val/a.png,cat\nval/b 1.png,dog\n"), "cat|dog");
  EXPECT_EQ(read_truths("a,cat\nb 1,dog\n"), "cat|dog");  // without their endings
  EXPECT_EQ(read_truths("a.png,cat\na.png,tom\nb 1.png,dog\n"), "cat/tom|dog");
  EXPECT_EQ(read_truths("0 cat\n1 dog\n", kNumbers), "cat|dog");
  EXPECT_EQ(read_truths("7 days\n1 dog\n", kNumbers), "7 days|1 dog");  // numbers by chance
}

TEST(TextTruth, AMarkAndLineEndsChangeNothing) {
  EXPECT_EQ(read_truths("\xef\xbb\xbf"
                        "a.png,cat\r\nb 1.png,dog\r\n"),
            "cat|dog");
  EXPECT_EQ(read_truths("\xef\xbb\xbf"
                        "cat\r\ndog\r\n"),
            "cat|dog");
  EXPECT_EQ(read_truths(std::string_view("\xff\xfe"
                                         "c\0a\0",
                                         6)),
            "the file is UTF-16, and texts are read as UTF-8");
}

TEST(TextTruth, TheWholeFileSaysWhetherLinesHaveNames) {
  // The first line alone has a name, or it alone has none.
  EXPECT_EQ(read_truths("a.png,cat\ndog\n"), "line 1 names a sample and line 2 does not");
  EXPECT_EQ(read_truths("cat\nb 1.png,dog\n"), "line 2 names a sample and line 1 does not");
  EXPECT_EQ(read_truths("a.png,cat\nb 1.png,dog\nowl\n"),
            "line 1 names a sample and line 3 does not");
}

TEST(TextTruth, NamesOfNoSampleAreNoTexts) {
  EXPECT_EQ(read_truths("x.png,cat\ny.png,dog\n"), "no line names a sample: 'x.png' is none");
  EXPECT_EQ(read_truths("x.jpg cat\ny.jpg dog\n"), "no line names a sample: 'x.jpg' is none");
  EXPECT_EQ(read_truths("17,cat\n18,dog\n", kNumbers), "no line names a sample: '17' is none");
  EXPECT_EQ(read_truths("a.png,cat\nb 1.png,dog\nc.png,owl\n"),
            "cat|dog | 1 text of samples that the data does not have is passed over, the first in "
            "line 3");
  EXPECT_EQ(read_truths("a.png,cat\nb 1.png,dog\nc.png,owl\n", kTextFiles, Whole::kNo), "cat|dog");
}

TEST(TextTruth, SurplusAndMissingLinesAreRefused) {
  EXPECT_EQ(read_truths("cat\ndog\nowl\n"), "there are 3 texts for 2 samples");
  EXPECT_EQ(read_truths("cat\ndog\nowl\n", kTextFiles, Whole::kNo), "cat|dog");
  EXPECT_EQ(read_truths("cat\ndog\n\n\n"), "cat|dog");
  EXPECT_EQ(read_truths("cat\n"), "sample 'b 1.png' has no text");
  EXPECT_EQ(read_truths("a.png,cat\n"), "sample 'b 1.png' has no text");
  EXPECT_EQ(read_truths(""), "sample 'a.png' has no text");
}

TEST(TextTruth, AnErrorRateTakesOneTextOfASample) {
  const std::vector<std::string> labels;
  const std::string path = "texts";
  const TruthSource source{path, kTextFiles, labels};
  EXPECT_TRUE(check_single({{{"cat", "cat"}, {"dog"}}, {}}, source).ok());
  const Result<void> two = check_single({{{"cat", "tom"}, {"dog"}}, {}}, source);
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().message(), "sample 'a.png' has more than one text, cer compares with one");
}

}  // namespace
}  // namespace ridge::evaluation
