// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

#include <string>

#include "base/result.h"
#include "base/text.h"

namespace ridge {
namespace {

Error example() {
  return input_error("RIDGE-ONNX-0231", "raw_data has 7 bytes, but shape [4] float32 requires 16")
      .evidence("at byte 0x1a4c of the file (TensorProto.raw_data)")
      .hint("the file may be truncated; export it again");
}

TEST(Error, HasTheFourLineForm) {
  const Error error = example().in("node #17 'Conv_12'").in("graph 'main'").in_file("model.onnx");
  EXPECT_EQ(error.text(),
            "error: model.onnx: graph 'main' > node #17 'Conv_12': raw_data has 7 bytes, but shape "
            "[4] float32 requires 16\n"
            "  at byte 0x1a4c of the file (TensorProto.raw_data)\n"
            "  hint: the file may be truncated; export it again\n"
            "  [RIDGE-ONNX-0231]\n");
}

TEST(Error, LeavesOutWhatItDoesNotKnow) {
  EXPECT_EQ(usage_error("RIDGE-CLI-0001", "no model given").text("warning"),
            "warning: no model given\n  [RIDGE-CLI-0001]\n");
}

TEST(Error, KeepsTheInnermostFile) {
  const Error error = example().in_file("weights.bin").in_file("model.onnx");
  EXPECT_EQ(error.file(), "weights.bin");
}

TEST(Error, NeverPassesControlCharactersToTheTerminal) {
  const Error error = input_error("RIDGE-ONNX-0001", "bad\x1b[2Jname")
                          .evidence("two\nlines")
                          .hint("\x9b")
                          .in_file("a\rb");
  EXPECT_EQ(error.text(),
            "error: a\\x0db: bad\\x1b[2Jname\n"
            "  two\\x0alines\n"
            "  hint: \\x9b\n"
            "  [RIDGE-ONNX-0001]\n");
}

TEST(Error, CopyIsIndependent) {
  const Error first = example();
  Error second = first;
  second = std::move(second).in("graph 'main'");
  EXPECT_EQ(first.where(), "");
  EXPECT_EQ(second.where(), "graph 'main'");
}

TEST(Error, BugAsksForAReport) {
  const Error error = bug("two layers execute one node", "join");
  EXPECT_EQ(error.error_class(), ErrorClass::kBug);
  EXPECT_EQ(error.text(),
            "error: join: two layers execute one node\n"
            "  hint: this is a defect of ridge; please report it with the command line and the "
            "model\n"
            "  [RIDGE-BUG-0001]\n");
}

TEST(Error, WhatIsLongerThanAScreenLosesItsMiddle) {
  const std::string name = "first" + std::string(60'000, 'n') + "last";
  const std::string text =
      input_error("RIDGE-TEST-0001", "a " + name).in("node '" + name + "'").in_file("m").text();
  EXPECT_LT(text.size(), 2500U);
  EXPECT_TRUE(text.starts_with("error: m: node 'firstnnn"));
  EXPECT_NE(text.find("nnlast': a firstnnn"), std::string::npos);
  EXPECT_TRUE(text.ends_with("nnlast\n  [RIDGE-TEST-0001]\n"));
  // A cut inside a character still yields valid UTF-8.
  std::string wide = "x";
  for (int i = 0; i < 2000; ++i) wide += "\u00e9";
  EXPECT_EQ(valid_utf8(input_error("RIDGE-TEST-0001", wide).summary()),
            input_error("RIDGE-TEST-0001", wide).summary());
}

Result<int> positive(int value) {
  if (value <= 0) return input_error("RIDGE-TEST-0001", "not positive");
  return value;
}

Result<int> sum(int a, int b) { return TRY(positive(a)) + TRY_IN("right side", positive(b)); }

TEST(Result, TryHandsValuesAndErrorsUp) {
  EXPECT_EQ(sum(1, 2).value(), 3);
  EXPECT_EQ(sum(0, 2).error().summary(), "not positive");
  EXPECT_EQ(sum(1, 0).error().summary(), "right side: not positive");
}

TEST(Result, CarriesTypesThatOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

}  // namespace
}  // namespace ridge
