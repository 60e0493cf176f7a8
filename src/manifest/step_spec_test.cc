// SPDX-License-Identifier: Apache-2.0
#include "manifest/step_spec.h"

#include <gtest/gtest.h>

namespace ridge::manifest {
namespace {

TEST(StepSpec, TextStatesListsAndQuotes) {
  const StepSpec step{
      "labels", {{"path", "my \"new\" \\ list.txt"}, {"mean", "1, 2.5, -3"}, {"", "7"}}, {}};
  const std::string text = R"(labels(path="my \"new\" \\ list.txt", mean=[1, 2.5, -3], 7))";
  EXPECT_EQ(step_text(step), text);
  const auto read = parse_step(text);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, step);
  EXPECT_EQ(step_text({"softmax", {}, {}}), "softmax");
}

TEST(StepSpec, EveryValueSurvivesTheRoundTrip) {
  for (const std::string value : {"", "a", "1,2", "1, 2", "a, b", "a,b", "\"", "\\", " ", "1, x",
                                  "caf\u00e9", "\n", "a(b)", "[1]", "1e-3", "=", "a/b"}) {
    const StepSpec step{"crop", {{"k", value}, {"l", "2"}, {"", value}}, {}};
    const auto read = parse_step(step_text(step));
    ASSERT_TRUE(read.ok()) << value;
    EXPECT_EQ(*read, step) << value;
  }
}

TEST(StepSpec, SeveralStepsAreSeparatedByBlanks) {
  const auto steps = parse_step_texts("decode(rgb) resize ( 256 , short )\n softmax layout()");
  ASSERT_TRUE(steps.ok()) << steps.error().text();
  std::string all;
  for (const StepSpec& s : *steps) all += step_text(s) + ";";
  EXPECT_EQ(all, "decode(rgb);resize(256, short);softmax;layout;");
  std::string many;
  for (int i = 0; i < 65; ++i) many += "a ";
  EXPECT_FALSE(parse_step_texts(many).ok());
}

TEST(StepSpec, InvalidTextIsRefused) {
  for (const std::string_view text : {"", "a b", "a(b=)", "a(b=\"x)", "a(b=\"x\"c=1)", "a(,)",
                                      "a(b=x\"y)", "a(b=[1,)", "a(b=[])", "a(b", "a)", "a=1"})
    EXPECT_FALSE(parse_step(text).ok()) << text;
  EXPECT_EQ(parse_step("resize 256").error().text(),
            "error: invalid step 'resize 256'\n"
            "  hint: for example: resize(short=256, method=pillow_bilinear)\n"
            "  [RIDGE-MAN-0028]\n");
}

}  // namespace
}  // namespace ridge::manifest
