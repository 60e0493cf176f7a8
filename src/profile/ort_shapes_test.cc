// SPDX-License-Identifier: Apache-2.0
#include "profile/ort_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

std::string shapes_text(std::string_view shapes) {
  std::string out;
  for (const OrtTensor& t : ort_tensors(shapes))
    out += fmt::format("{}({}) ", t.type, fmt::join(t.dims, "x"));
  return out;
}

TEST(OrtShapes, BlanksAndLineBreaksDoNotMatter) {
  const std::string expected = "float(64x256) int64() ";
  EXPECT_EQ(shapes_text(R"([{"float":[64,256]},{"int64":[]}])"), expected);
  EXPECT_EQ(shapes_text(R"([{"float": [64, 256]}, {"int64": []}])"), expected);
  EXPECT_EQ(shapes_text(
                "[\n  {\n    \"float\" :\n [\n 64,\r\n\t256\n ]\n  },\n  {\"int64\":\n[\n]\n}\n]"),
            expected);
}

TEST(OrtShapes, WhatIsNoListOfTensorsEndsTheList) {
  EXPECT_EQ(shapes_text(""), "");
  EXPECT_EQ(shapes_text("[{\"float\":[2]},{\"float\":3}]"), "float(2) ");
  EXPECT_EQ(shapes_text("[{\"float\":[2]},{\"float\":[3"), "float(2) ");
  EXPECT_EQ(shapes_text(R"([{"float":[99999999999999999999,"a",-1]}])"), "float(-1x-1x-1) ");
}

}  // namespace
}  // namespace ridge::profile
