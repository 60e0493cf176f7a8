// SPDX-License-Identifier: Apache-2.0
#include "profile/precision.h"

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

TEST(Precision, TypesAreNamedAsRoofsAre) {
  EXPECT_EQ(precision_word("f32"), "float32");
  EXPECT_EQ(precision_word("bf16"), "bfloat16");
  EXPECT_EQ(precision_word("u8"), "int8");
  EXPECT_EQ(precision_word("FP16"), "float16");
  EXPECT_EQ(precision_word("nf4"), "nf4");
}

}  // namespace
}  // namespace ridge::profile
