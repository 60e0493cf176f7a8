// SPDX-License-Identifier: Apache-2.0
#include "pipeline/resize_opencv.h"

#include <gtest/gtest.h>

#include <map>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

TEST(ResizeOpencvSlow, EqualsOpencv) {
  const OracleCases oracle = oracle_cases("opencv 3 " + photos());
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  const std::map<std::string, OpencvFilter> filters = {{"linear", OpencvFilter::kLinear},
                                                       {"nearest", OpencvFilter::kNearest},
                                                       {"area", OpencvFilter::kArea},
                                                       {"cubic", OpencvFilter::kCubic},
                                                       {"own_cubic", OpencvFilter::kCubic}};
  std::map<std::string, Differences> differences;
  for (const OracleCase& c : oracle.cases) {
    const int channels = c.number(3);
    const Size target{c.number(4), c.number(5)};
    const auto ours = resize_opencv(c.image(0, c.number(1), c.number(2), channels), target,
                                    filters.at(c.words[0]));
    ASSERT_TRUE(ours.ok());
    const Image theirs = c.image(1, target.width, target.height, channels);
    Differences here;
    here.add(*ours, theirs);
    EXPECT_LE(here.largest, c.words[0] == "cubic" ? 1 : 0)
        << fmt::format("{}", fmt::join(c.words, " "));
    differences[c.words[0]].add(*ours, theirs);
  }
  for (const auto& [filter, found] : differences) record(filter, found);
}

}  // namespace
}  // namespace ridge::pipeline
