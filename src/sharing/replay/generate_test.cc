// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ridge::sharing {
namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

TEST(Generate, RequestsAreAscendingAndForTheShareOfTheModels) {
  const Trace trace = generate({.models = 40, .share = 0.25, .requests = 5000}).value();
  ASSERT_EQ(trace.requests.size(), 5000u);
  EXPECT_TRUE(std::ranges::is_sorted(trace.requests, {}, &Request::at_ns));
  std::set<std::uint32_t> models;
  for (const Request& request : trace.requests) models.insert(request.model);
  EXPECT_EQ(models.size(), 10u);
  EXPECT_EQ(*models.rbegin(), 9u);
  EXPECT_EQ(trace.models[9], "model-9");
}

TEST(Generate, TheRateIsThatOfTheArrivals) {
  const Trace trace =
      generate({.requests = 100'000, .arrivals = scenario::Poisson{.rate = 50}}).value();
  const double seconds = static_cast<double>(trace.requests.back().at_ns) * 1e-9;
  EXPECT_NEAR(seconds, 2000, 2000 * 5 / std::sqrt(100'000.0));
}

// A day of level arrivals becomes one of a quarter of the mean rate in the hour from four on, and
// of seven quarters twelve hours later.
TEST(Generate, DaysHaveHours) {
  std::vector<int> hours(48, 0);
  constexpr int kPerHour = 1000;
  for (int i = 0; i < 48 * kPerHour; ++i) {
    const std::int64_t at = moment_of_day(i * (kHour / kPerHour));
    ASSERT_LT(at, 48 * kHour);
    ++hours[static_cast<std::size_t>(at / kHour)];
  }
  EXPECT_NEAR(hours[4], kPerHour / 4, 2);
  EXPECT_NEAR(hours[16], 7 * kPerHour / 4, 2);
  EXPECT_NEAR(hours[10], kPerHour, 2);
  EXPECT_NEAR(hours[24 + 4], kPerHour / 4, 2);
  EXPECT_EQ(moment_of_day(0), 0);
  EXPECT_EQ(moment_of_day(24 * kHour), 24 * kHour);
}

TEST(Generate, RefusesWhatIsNoTrace) {
  EXPECT_EQ(generate({.models = 0}).error().text(),
            "error: a trace of 0 models\n  hint: choose 1 to 131072\n  [RIDGE-SHARE-0204]\n");
  EXPECT_EQ(generate({.share = 0}).error().message(), "a share of 0 of the models");
  EXPECT_EQ(generate({.requests = std::uint64_t{1} << 40}).error().message(),
            "a trace of 1099511627776 requests");
  EXPECT_EQ(generate({.arrivals = scenario::Poisson{.rate = 0}}).error().code(), "RIDGE-SCEN-0001");
}

}  // namespace
}  // namespace ridge::sharing
