// SPDX-License-Identifier: Apache-2.0
// Oracles: lines and encodings written out below, byte by byte.
#include "base/lines.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge {
namespace {

using std::string_view_literals::operator""sv;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (Lines lines(text); lines.next();) {
    out.emplace_back(lines.line());
    EXPECT_EQ(lines.number(), out.size());
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(Lines, EndAtLfOrCrLfAndNeedNoLastEnd) {
  EXPECT_EQ(lines_of("a\nb\r\n\nc"), (Texts{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of("a\n"), Texts{"a"});
  EXPECT_EQ(lines_of(""), Texts());
  EXPECT_EQ(lines_of("\n"), Texts{""});
  EXPECT_EQ(lines_of("a\rb\r\r\n"), Texts{"a\rb\r"});  // a CR within a line belongs to it
}

TEST(Lines, AMarkOfUtf8IsNoPartOfTheFirst) {
  EXPECT_EQ(lines_of("\xef\xbb\xbf"
                     "a\nb"),
            (Texts{"a", "b"}));
  EXPECT_EQ(lines_of("a\n\xef\xbb\xbf"
                     "b"),
            (Texts{"a",
                   "\xef\xbb\xbf"
                   "b"}));
  EXPECT_EQ(without_mark("\xef\xbb"), "\xef\xbb");
}

std::string encoding(std::string_view bytes) {
  const Result<void> good = check_encoding(bytes);
  return good.ok() ? "" : good.error().code() + ": " + good.error().message();
}

TEST(TextFile, OtherEncodingsAreRefusedByName) {
  constexpr std::string_view k16 = "RIDGE-IO-0012: the file is UTF-16, and texts are read as UTF-8";
  constexpr std::string_view k32 = "RIDGE-IO-0012: the file is UTF-32, and texts are read as UTF-8";
  EXPECT_EQ(encoding("\xff\xfe"
                     "a\0"sv),
            k16);
  EXPECT_EQ(encoding("\xfe\xff\0a"sv), k16);
  EXPECT_EQ(encoding("a\0,\0"sv), k16);
  EXPECT_EQ(encoding("\0a\0,"sv), k16);
  EXPECT_EQ(encoding("\xff\xfe\0\0a\0\0\0"sv), k32);
  EXPECT_EQ(encoding("\0\0\xfe\xff\0\0\0a"sv), k32);
  EXPECT_EQ(encoding("a\0\0\0"sv), k32);
  EXPECT_EQ(encoding("\0\0\0a"sv), k32);
  for (const std::string_view text : {""sv, "a"sv, "abcd"sv, "\xef\xbb\xbf"sv, "\xc3\xa9tat"sv})
    EXPECT_EQ(encoding(text), "") << text;
}

TEST(TextFile, IsReadWithoutItsMark) {
  Result<TemporaryFolder> folder = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/a.txt";
  ASSERT_TRUE(write_file(path,
                         "\xef\xbb\xbf"
                         "a\r\n")
                  .ok());
  const Result<std::string> text = read_text_file(path, 10);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, "a\r\n");
  ASSERT_TRUE(write_file(path,
                         "\xff\xfe"
                         "a\0"sv)
                  .ok());
  const Result<std::string> other = read_text_file(path, 10);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().file(), path);
}

}  // namespace
}  // namespace ridge
