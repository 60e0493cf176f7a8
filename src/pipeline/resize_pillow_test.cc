// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_pillow.h"

#include <gtest/gtest.h>

#include <map>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(ResizePillowSlow, EqualsPillow) {
  const OracleCases oracle = oracle_cases("pillow 2 " + photos());
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  const std::map<std::string, PillowFilter> filters = {
      {"nearest", PillowFilter::kNearest},   {"box", PillowFilter::kBox},
      {"bilinear", PillowFilter::kBilinear}, {"hamming", PillowFilter::kHamming},
      {"bicubic", PillowFilter::kBicubic},   {"lanczos", PillowFilter::kLanczos}};
  std::map<std::string, Differences> differences;
  for (const OracleCase& c : oracle.cases) {
    const int channels = c.number(3);
    const Size target{c.number(4), c.number(5)};
    const Image image = c.image(0, c.number(1), c.number(2), channels);
    const PillowFilter filter = filters.at(c.words[0]);
    const auto ours = resize_pillow(image, target, filter);
    ASSERT_TRUE(ours.ok());
    const Image theirs = c.image(1, target.width, target.height, channels);
    EXPECT_TRUE(*ours == theirs) << fmt::format("{}", fmt::join(c.words, " "));
    if (c.words[0] != "nearest") {
      const auto before = resize_pillow(image, target, filter, PillowRelease::kUntil12);
      ASSERT_TRUE(before.ok());
      EXPECT_TRUE(*before == c.image(2, target.width, target.height, channels))
          << fmt::format("{}", fmt::join(c.words, " "));
    }
    differences[c.words[0]].add(*ours, theirs);
  }
  for (const auto& [filter, found] : differences) record(filter, found);
}

}  // namespace
}  // namespace ridge::pipeline
