// SPDX-License-Identifier: Apache-2.0
#include "manifest/code_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::manifest {
namespace {

std::string lines(std::string_view code) {
  const auto read = code_lines(code, {10, 3});
  if (!read.ok()) return read.error().text();
  std::string out;
  for (const CodeLine& l : *read)
    out += fmt::format("{}:{} +{} {}\n", l.place.line, l.place.column, l.indent, l.text);
  return out;
}

TEST(CodeText, LinesAreLogicalAndCanonical) {
  EXPECT_EQ(lines("import numpy as np  # arrays\n\n"
                  "def f(ctx, data):\n"
                  "  x = [1, 2,\n"
                  "       3,\n"
                  "  ]\n"
                  "  return  x [ 0 ]  +  'a # b'\n"),
            "10:3 +0 import numpy as np\n"
            "12:3 +0 def f(ctx,data):\n"
            "13:5 +2 x=[1,2,3]\n"
            "16:5 +2 return x[0]+\"a # b\"\n");
}

TEST(CodeText, OpenEndsAreRefused) {
  EXPECT_EQ(lines("a\nx = (1,\n"),
            "error: line 11, column 3: a bracket of the code is never closed\n"
            "  [RIDGE-MAN-0042]\n");
  EXPECT_EQ(lines("x = 'a\n"),
            "error: line 10, column 3: a string of the code does not end\n  [RIDGE-MAN-0041]\n");
  EXPECT_EQ(lines(std::string((64 << 10) + 1, 'x')),
            "error: line 10, column 3: the code has 65537 bytes, the limit is 65536\n"
            "  [RIDGE-MAN-0040]\n");
}

TEST(CodeText, HolesTakeNumbersListsAndNames) {
  CodeMatch m;
  EXPECT_TRUE(matches("img = resize(img, ({w}, {h}))", "img=resize(img,(32,-1.50))", m));
  EXPECT_EQ(m["w"], "32");
  EXPECT_EQ(m["h"], "-1.5");
  EXPECT_TRUE(matches("{name:} = array([{values*}])", "m=array([124/255,1e-2,.5])", m));
  EXPECT_EQ(m["name"], "m");
  EXPECT_EQ(m["values"], "0.48627450980392156, 0.01, 0.5");
  EXPECT_EQ(m["other"], "");
  EXPECT_FALSE(matches("x = {n}", "x=y", m));
  EXPECT_FALSE(matches("x = {n}", "x=1+1", m));
  EXPECT_FALSE(matches("x = {n}", "x=1/0", m));
  EXPECT_FALSE(matches("x = {n}", "x=0x10", m));
  EXPECT_FALSE(matches("x = [{n*}]", "x=[]", m));
  EXPECT_FALSE(matches("return {f:}(x)", "returnf(x)", m));
  EXPECT_TRUE(matches("return {f:}(x)", "return f(x)", m));
}

}  // namespace
}  // namespace ridge::manifest
