// SPDX-License-Identifier: Apache-2.0
#include "profile/drift.h"

#include <gtest/gtest.h>

namespace ridge::profile {
namespace {

const std::vector<ReferenceTime> kReadings = {
    {0, "multiply-add", 1'000'000}, {0, "read", 950'000},           {1, "multiply-add", 1'010'000},
    {1, "read", 1'330'000},         {2, "multiply-add", 1'004'000}, {2, "read", 0}};

TEST(Drift, RangesAreByKernel) {
  const std::vector<ReferenceRange> ranges = reference_ranges(kReadings);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].kernel, "multiply-add");
  EXPECT_NEAR(ranges[0].share(), 0.01, 1e-12);
  EXPECT_EQ(ranges[1].min_ns, 950'000);
  EXPECT_NEAR(ranges[1].share(), 0.4, 1e-12);
}

TEST(Drift, ANoteNamesTheKernelsThatMoved) {
  EXPECT_EQ(
      drift_note(kReadings),
      "the machine drifted while this was measured: reference kernels, which do the same work "
      "every time, took read 950.0 \u00B5s to 1.330 ms (40 %)");
  EXPECT_EQ(drift_note(std::vector<ReferenceTime>{{0, "read", 100}, {1, "read", 104}}), "");
  EXPECT_EQ(drift_note({}), "");
}

}  // namespace
}  // namespace ridge::profile
