// SPDX-License-Identifier: Apache-2.0
#include "stats/testing/noise_series.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stats/random.h"
#include "stats/testing/recorded.h"

namespace ridge::stats::testing {
namespace {

NoiseSeries jumpy(std::size_t n) {
  Random random(3);
  NoiseSeries s{.min_ns = 900'000, .steps = {}};
  for (std::size_t i = 0; i < n; ++i)
    s.steps.push_back(static_cast<std::uint32_t>(random.below(10) == 0 ? random.below(1'000'000'000)
                                                                       : random.below(300)));
  return s;
}

TEST(NoiseSeries, ComesBackAsItWas) {
  for (const std::size_t n : {0, 1, 63, 64, 65, 1000}) {
    const NoiseSeries s = jumpy(n);
    const auto back = decode(encode(s));
    ASSERT_TRUE(back.has_value()) << n;
    EXPECT_EQ(back->steps, s.steps);
    EXPECT_EQ(back->min_ns, s.min_ns);
  }
}

TEST(NoiseSeries, IsWithinHalfAStepOfWhatWasMeasured) {
  const std::vector<std::int64_t> ns = {1'000'000, 1'000'240, 1'000'260, 9'000'000};
  const NoiseSeries s = quantized(ns);
  for (std::size_t i = 0; i < ns.size(); ++i)
    EXPECT_NEAR(s.ns(i), static_cast<double>(ns[i]), 250) << i;
}

TEST(NoiseSeries, ACutOrForeignFileIsNone) {
  const std::string whole = encode(jumpy(200));
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(decode(std::string_view(whole).substr(0, n)).has_value()) << n;
  std::string other = whole;
  other[4] = 2;  // an unknown version
  EXPECT_FALSE(decode(other).has_value());
  other = whole;
  other[11] = 0x7f;  // two billion samples
  EXPECT_FALSE(decode(other).has_value());
}

TEST(RecordedNoise, HasTwentySeriesOfAMinute) {
  const Noise noise = recorded();
  SKIP_WITHOUT_NOISE(noise);
  EXPECT_GE(noise.series(), 20U);
  double total_ns = 0, least_ns = noise.ns(0);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    total_ns += noise.ns(i);
    least_ns = std::min(least_ns, noise.ns(i));
  }
  EXPECT_GE(total_ns, 20 * 59e9);
  EXPECT_EQ(noise.min_ns(), least_ns);
}

}  // namespace
}  // namespace ridge::stats::testing
