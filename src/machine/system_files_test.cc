// SPDX-License-Identifier: Apache-2.0
#include "machine/system_files.h"

#include <gtest/gtest.h>

namespace ridge::machine {
namespace {

using Cpus = std::vector<int>;

TEST(ParseCpuList, TakesRangesAndSingles) {
  EXPECT_EQ(parse_cpu_list("0-3,8\n"), (Cpus{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("5"), (Cpus{5}));
  EXPECT_EQ(parse_cpu_list(""), Cpus{});
}

TEST(ParseCpuList, RefusesWhatIsNoList) {
  for (const char* text : {"a", "3-1", "0-", "-1", "0-99999999999", "1;2", "0-65536"}) {
    EXPECT_FALSE(parse_cpu_list(text).has_value()) << text;
  }
}

TEST(ParseSize, KnowsBinaryUnits) {
  EXPECT_EQ(parse_size("32K"), 32 << 10);
  EXPECT_EQ(parse_size("32M\n"), 32 << 20);
  EXPECT_EQ(parse_size("123"), 123);
  for (const char* text : {"", "K", "-1K", "12Q", "99999999999999G"}) {
    EXPECT_FALSE(parse_size(text).has_value()) << text;
  }
}

TEST(Field, FindsTheWholeKeyOnly) {
  const char* text = "MemTotalHuge: 1 kB\nMemTotal:   24 kB\nmodel name\t: AMD EPYC\n";
  EXPECT_EQ(field(text, "MemTotal"), "24 kB");
  EXPECT_EQ(field(text, "model name"), "AMD EPYC");
  EXPECT_FALSE(field(text, "Mem").has_value());
}

TEST(LiveFiles, ReadFilesThatHaveNoSize) {
  const auto text = live_files().read("/proc/self/stat");
  ASSERT_TRUE(text.has_value());
  EXPECT_FALSE(text->empty());
  EXPECT_FALSE(live_files().read("/proc/no-such-file").has_value());
}

}  // namespace
}  // namespace ridge::machine
