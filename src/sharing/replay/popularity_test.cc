// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/popularity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridge::sharing {
namespace {

using Kind = PopularityKind;

std::vector<double> scaled_weights(const PopularitySpec& spec, std::uint32_t n) {
  std::vector<double> out = popularity_weights(spec, n).value();
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& w : out) w /= sum;
  return out;
}

/// The formulas of the header, by the functions of the mathematics library.
double formula(Kind kind, double i, double n) {
  switch (kind) {
    case Kind::kUniform:
      return 1;
    case Kind::kZipf:
      return std::pow(i, -0.9);
    case Kind::kPareto:
      return 1 / i - 1 / (i + 1);
    case Kind::kExponential:
      return std::exp(-(i - 1) / (n / 5));
    case Kind::kWeibull:
      return std::exp(-std::pow(5 * (i - 1) / n, 1.5)) - std::exp(-std::pow(5 * i / n, 1.5));
    case Kind::kPoisson:
      return std::exp((i - 1) * std::log(n / 5) - std::lgamma(i) - n / 5);
  }
  return 0;
}

TEST(Popularity, WeightsAreThoseOfTheFormulas) {
  for (const Word& w : Words<Kind>::list) {
    const auto kind = static_cast<Kind>(w.value);
    for (const std::uint32_t n : {1U, 2U, 7U, 50U, 1000U}) {
      PopularitySpec spec{.kind = kind};
      if (kind == Kind::kZipf) spec.parameter = 0.9;
      const std::vector<double> weights = scaled_weights(spec, n);
      std::vector<double> expected;
      for (std::uint32_t i = 1; i <= n; ++i) expected.push_back(formula(kind, i, n));
      const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
      for (std::uint32_t i = 0; i < n; ++i)
        ASSERT_NEAR(weights[i], expected[i] / sum, 1e-9) << w.text << " " << i << " of " << n;
    }
  }
}

// Sorted by how often they are drawn, models have the weights of the ranks, within six standard
// deviations.
TEST(Popularity, DrawsAsOftenAsTheWeightsSay) {
  constexpr int kDraws = 200'000;
  constexpr std::uint32_t kModels = 30;
  for (const Word& w : Words<Kind>::list) {
    const PopularitySpec spec{.kind = static_cast<Kind>(w.value)};
    Popularity popularity = Popularity::make(spec, kModels, 5).value();
    std::vector<double> counts(kModels, 0);
    for (int i = 0; i < kDraws; ++i) ++counts[popularity.next()];
    std::vector<double> weights = scaled_weights(spec, kModels);
    std::ranges::sort(counts);
    std::ranges::sort(weights);
    for (std::uint32_t i = 0; i < kModels; ++i)
      EXPECT_NEAR(counts[i], weights[i] * kDraws, 6 * std::sqrt(weights[i] * kDraws) + 6)
          << w.text << " " << i;
  }
}

TEST(Popularity, RanksAreShuffledByTheSeed) {
  const auto first = [](std::uint64_t seed) {
    Popularity popularity =
        Popularity::make({.kind = Kind::kZipf, .parameter = 5}, 1000, seed).value();
    std::vector<std::uint32_t> drawn;
    for (int i = 0; i < 20; ++i) drawn.push_back(popularity.next());
    return drawn;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

TEST(Popularity, RefusesParametersThatAreOutOfRange) {
  const auto text = [](Kind kind, double parameter) {
    return popularity_weights({.kind = kind, .parameter = parameter}, 5).error().text();
  };
  EXPECT_EQ(text(Kind::kZipf, 100),
            "error: the parameter of zipf is 100\n  hint: choose 0.01 to 10\n  "
            "[RIDGE-SHARE-0206]\n");
  EXPECT_EQ(text(Kind::kUniform, 1),
            "error: the parameter of uniform is 1\n  hint: it takes none\n  [RIDGE-SHARE-0206]\n");
}

}  // namespace
}  // namespace ridge::sharing
