// SPDX-License-Identifier: Apache-2.0
#include "base/numeral.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace ridge {
namespace {

TEST(Significant, NeverHasAnExponent) {
  EXPECT_EQ(significant(0, 3), "0");
  EXPECT_EQ(significant(0.25, 3), "0.25");
  EXPECT_EQ(significant(-3.14159, 3), "-3.14");
  EXPECT_EQ(significant(9.996, 3), "10");
  EXPECT_EQ(significant(0.000012345, 3), "0.0000123");
  EXPECT_EQ(significant(1234.4, 3), "1234");
  EXPECT_EQ(significant(24576, 4), "24,576");
  EXPECT_EQ(significant(1048576, 6), "1,048,576");
  EXPECT_EQ(si(0.00001234), "0.0000123");
}

TEST(BinaryBytes, TakeThePrefixThatSuits) {
  EXPECT_EQ(binary_bytes(512), "0.5 KiB");
  EXPECT_EQ(binary_bytes(std::int64_t{9999} << 10), "9999 KiB");
  EXPECT_EQ(binary_bytes(std::int64_t{24} << 20), "24 MiB");
  EXPECT_EQ(binary_bytes(std::int64_t{1} << 50), "1024 TiB");
}

}  // namespace
}  // namespace ridge
