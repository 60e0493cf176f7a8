// SPDX-License-Identifier: Apache-2.0
#include "scenario/exact_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridge::scenario {
namespace {

long double library_log(std::uint64_t bits) {
  const long double u = (static_cast<long double>(bits) + 0.5L) / 0x1.0p64L;
  return -std::log(u);
}

TEST(NegativeLog, EqualsTheLibraryLogarithm) {
  std::vector<std::uint64_t> cases = {0, 1, 2, 3, ~0ull, ~0ull >> 1, 1ull << 63, (1ull << 63) + 1};
  stats::Random random(1);
  for (int i = 0; i < 100'000; ++i) cases.push_back(random.next() >> random.below(64));
  for (const std::uint64_t bits : cases)
    ASSERT_LT(
        std::abs(std::ldexp(static_cast<long double>(negative_log(bits)), -57) - library_log(bits)),
        0x1.0p-50)
        << bits;
}

TEST(ExactExp, EqualsTheLibraryExponential) {
  for (double x = 0; x < 700; x += 0.37)
    EXPECT_NEAR(exact_exp_minus(x) / std::exp(-x), 1, 1e-13) << x;
  EXPECT_EQ(exact_exp_minus(701), 0);
}

/// Largest distance of the sample's distribution from `cdf` (Kolmogorov), times sqrt(n).
template <typename Draw, typename Cdf>
double distance(std::size_t n, Draw draw, Cdf cdf) {
  std::vector<double> values(n);
  for (double& v : values) v = draw();
  std::sort(values.begin(), values.end());
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = cdf(values[i]);
    most = std::max({most, p - static_cast<double>(i) / static_cast<double>(n),
                     static_cast<double>(i + 1) / static_cast<double>(n) - p});
  }
  return most * std::sqrt(static_cast<double>(n));
}
constexpr double kOneInThousand = 1.95;  // of Kolmogorov's distribution

TEST(ExactRandom, HasTheStatedDistributions) {
  constexpr std::size_t kDraws = 200'000;
  stats::Random random(3);
  EXPECT_LT(
      distance(
          kDraws, [&] { return exponential(random); }, [](double x) { return 1 - std::exp(-x); }),
      kOneInThousand);
  EXPECT_LT(distance(
                kDraws, [&] { return normal(random); },
                [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }),
            kOneInThousand);
  // Half the square of a normal number is gamma with shape 1/2; shapes 2 and 5 are Erlang's.
  EXPECT_LT(distance(
                kDraws, [&] { return gamma(random, 0.5); },
                [](double x) { return std::erf(std::sqrt(x)); }),
            kOneInThousand);
  EXPECT_LT(distance(
                kDraws, [&] { return gamma(random, 2); },
                [](double x) { return 1 - std::exp(-x) * (1 + x); }),
            kOneInThousand);
  EXPECT_LT(
      distance(
          kDraws, [&] { return gamma(random, 1); }, [](double x) { return 1 - std::exp(-x); }),
      kOneInThousand);
}

}  // namespace
}  // namespace ridge::scenario
