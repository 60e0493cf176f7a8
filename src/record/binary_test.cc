// SPDX-License-Identifier: Apache-2.0
#include "record/binary.h"

#include <gtest/gtest.h>

#include <random>

#include "record/json_write.h"
#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

TEST(Binary, ReadsWhatWasWritten) {
  Made made = example();
  made.library = "/opt/own.so";  // not a file: it crosses
  const auto read = from_binary<Made>(to_binary(made));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->library, "/opt/own.so");
  EXPECT_EQ(json_text(kType<Made>, &*read), json_text(kType<Made>, &made));
}

TEST(Binary, ListsOfNumbersAreTheirBytes) {
  const std::string bytes = to_binary(std::vector<std::uint32_t>{1, 2});
  EXPECT_EQ(bytes, std::string("\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0", 16));
}

TEST(Binary, RefusesWhatCannotBe) {
  EXPECT_FALSE(from_binary<bool>("\2"));
  EXPECT_FALSE(from_binary<Color>("\2\2"));  // two bytes
  EXPECT_FALSE(from_binary<Color>("\x07"));
  EXPECT_EQ(from_binary<Color>("\x09"), Color::kDarkBlue);
  EXPECT_FALSE(from_binary<std::optional<bool>>("\2\1"));
  EXPECT_FALSE(from_binary<Shape>("\2"));
  EXPECT_FALSE(from_binary<std::string>(std::string("\3\0\0\0\0\0\0\0ab", 10)));
  EXPECT_FALSE(from_binary<std::vector<double>>(std::string(7, '\xff') + '\x7f'));
  const std::string twice("\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\2", 26);
  EXPECT_FALSE((from_binary<std::map<std::string, std::uint8_t>>(twice)));
}

TEST(Binary, SurvivesAnyChange) {
  const std::string bytes = to_binary(example());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(from_binary<Made>(std::string_view(bytes).substr(0, n))) << n;
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    changed[random() % changed.size()] = static_cast<char>(random());
    if (const auto read = from_binary<Made>(changed)) (void)to_binary(*read);
  }
}

}  // namespace
}  // namespace ridge::record
