// SPDX-License-Identifier: Apache-2.0
#include "measure/unmeasured.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ridge::measure {
namespace {

TEST(Unmeasured, TimesOfNoRunAreNullNotZero) {
  profile::Profile p;
  p.latency.processes.emplace_back();
  p.notes.emplace_back("layer times are as reported");
  ASSERT_TRUE(unmeasured(p));
  leave_times_unknown(p);
  for (const double unknown :
       {p.latency.ns.value, p.latency.ns.low(), p.items_per_s, p.unattributed_share,
        p.profiling.raw_sum_ns, p.profiling.residual_share, p.profiling.excess_ns.high()})
    EXPECT_TRUE(std::isnan(unknown));
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_EQ(p.notes[0],
            "no time was measured: the runtime computes the whole model when it is loaded, so no "
            "layer runs");
}

TEST(Unmeasured, OneRunIsAMeasurement) {
  profile::Profile p;
  p.latency.processes.emplace_back();
  p.latency.processes.push_back({.samples_ns = {5}});
  EXPECT_FALSE(unmeasured(p));
}

}  // namespace
}  // namespace ridge::measure
