// SPDX-License-Identifier: Apache-2.0
#include "text/byte_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

namespace ridge::text {
namespace {

/// The window as text, with '_' for padding and '|' between begin and end.
std::string shown(std::string_view text, const ByteWindow& window) {
  std::string out;
  const auto values = byte_window(text, window);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == static_cast<std::size_t>(window.begin)) out += '|';
    out += values[i] == window.pad ? '_' : static_cast<char>(values[i]);
  }
  return out;
}

TEST(ByteWindow, HasTheFirstAndTheLastBytes) {
  EXPECT_EQ(shown("abcdefgh", {.begin = 3, .end = 2}), "abc|gh");
  EXPECT_EQ(shown("abc", {.begin = 5, .end = 5}), "abc__|__abc");
  EXPECT_EQ(shown("", {.begin = 2, .end = 2}), "__|__");
  EXPECT_EQ(shown("abc", {.begin = 2}), "ab");
  EXPECT_EQ(shown("abc", {.end = 2}), "|bc");
}

TEST(ByteWindow, StripsWithinItsBlocks) {
  const ByteWindow window{.begin = 3, .end = 3, .block = 4, .strip = Strip::kSpace};
  EXPECT_EQ(shown("  abcdef \n", window), "ab_|_ef");
  EXPECT_EQ(shown("     abcdef     ", window), "___|___");
  EXPECT_EQ(shown(" \t\v\f\r\n", window), "___|___");
  EXPECT_EQ(shown(" a ", window), "a _|_ a");  // each side is stripped at its own end
}

TEST(ByteWindow, TakesEveryByte) {
  const std::string text("\x00\xff\x80", 3);
  EXPECT_EQ(fmt::format("{}", fmt::join(byte_window(text, {.begin = 4}), " ")), "0 255 128 256");
}

}  // namespace
}  // namespace ridge::text
