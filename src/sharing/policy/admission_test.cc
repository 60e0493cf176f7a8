// SPDX-License-Identifier: Apache-2.0
#include "sharing/policy/admission.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge::sharing {
namespace {

constexpr SharingCosts kCosts{
    .bytes_per_s = 500e6, .export_cost = Nanos{60'000}, .open_cost = Nanos{40'000}};

// 5 MB at 500 MB/s are 10 ms; an object costs 0.1 ms.
TEST(Admission, RhoIsWhatIsSavedLessWhatHandingOverCosts) {
  EXPECT_DOUBLE_EQ(rho_ns(Bytes{5'000'000}, 1, kCosts), 9.9e6);
  EXPECT_DOUBLE_EQ(rho_ns(Bytes{5'000'000}, 160, kCosts), -6e6);
}

// SqueezeNet has 5 MB in 52 tensors, VGG16 553 MB in 32.
TEST(Admission, DecidesForEachGranularity) {
  EXPECT_TRUE(worth_sharing(Bytes{5'000'000}, 52, kCosts));
  EXPECT_FALSE(worth_sharing(Bytes{5'000'000}, 100, kCosts));  // saves nothing: rho is 0
  EXPECT_TRUE(worth_sharing(Bytes{553'000'000}, 32, kCosts));
}

TEST(Admission, WithoutABandwidthEverythingIsWorthIt) {
  EXPECT_EQ(rho_ns(Bytes{1}, 1'000'000, {}), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ridge::sharing
