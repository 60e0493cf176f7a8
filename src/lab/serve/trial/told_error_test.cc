// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/told_error.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ridge::lab::serve {
namespace {

TEST(ToldError, ReadsWhatAnErrorPrints) {
  const Error error = input_error("RIDGE-IO-0001", "no such file")
                          .evidence("looked twice")
                          .hint("look again")
                          .in_file("a.onnx");
  const auto told = told_error("warning: one\n  hint: none\n" + error.text() + "more\n  lines\n");
  ASSERT_TRUE(told);
  EXPECT_EQ(told->message, "a.onnx: no such file");
  EXPECT_EQ(told->evidence, "looked twice");
  EXPECT_EQ(told->hint, "look again");
  EXPECT_EQ(told->code, "RIDGE-IO-0001");
}

TEST(ToldError, TakesTheLastOfSeveral) {
  const auto told = told_error(input_error("RIDGE-IO-0001", "first").hint("a hint").text() +
                               input_error("RIDGE-IO-0002", "second").text());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->message, "second");
  EXPECT_EQ(told->hint, "");
  EXPECT_EQ(told->code, "RIDGE-IO-0002");
}

TEST(ToldError, IsNoneWithoutACode) {
  EXPECT_FALSE(told_error(""));
  EXPECT_FALSE(told_error("Segmentation fault\n"));
  EXPECT_FALSE(told_error("error: cut\n  hint: off\n  [RIDGE-"));
  EXPECT_FALSE(told_error("  hint: of nothing\n  [RIDGE-IO-0001]\n"));
}

}  // namespace
}  // namespace ridge::lab::serve
