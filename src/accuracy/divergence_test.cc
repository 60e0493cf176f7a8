// SPDX-License-Identifier: Apache-2.0
// Oracles: the definitions in long double, without logarithms of sums; identities of the
// divergences.
#include "accuracy/divergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/random.h"

namespace ridge::accuracy {
namespace {

constexpr float kNanOutput = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using Values = std::vector<float>;
using Exact = std::vector<long double>;

Values random_logits(stats::Random& random, std::size_t n, double scale) {
  Values values(n);
  for (float& v : values) v = static_cast<float>((random.uniform() - 0.5) * scale);
  return values;
}

Exact softmax(const Values& logits) {
  Exact p;
  long double sum = 0;
  for (const float l : logits) sum += std::exp(static_cast<long double>(l));
  for (const float l : logits) p.push_back(std::exp(static_cast<long double>(l)) / sum);
  return p;
}

long double divergence_from(const Exact& p, const Exact& q) {
  long double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

Exact mean_of(const Exact& p, const Exact& q) {
  Exact mean;
  for (std::size_t i = 0; i < p.size(); ++i) mean.push_back((p[i] + q[i]) / 2);
  return mean;
}

DivergenceFigures of_one(Outputs outputs, const Values& first, const Values& second) {
  Divergence d(outputs);
  EXPECT_TRUE(d.add(first, second).ok());
  return d.figures({.resamples = 10});
}

TEST(Divergence, IsThatOfTheDefinitions) {
  stats::Random random(1);
  for (int n = 0; n < 200; ++n) {
    const std::size_t classes = 1 + random.below(30);
    const double scale = n % 2 == 0 ? 4 : 100;
    const Values a = random_logits(random, classes, scale),
                 b = random_logits(random, classes, scale);
    const Exact p = softmax(a), q = softmax(b), m = mean_of(p, q);
    const DivergenceFigures f = of_one(Outputs::kLogits, a, b);
    EXPECT_NEAR(f.kullback_leibler.value, static_cast<double>(divergence_from(p, q)), 1e-9);
    EXPECT_NEAR(f.jensen_shannon.value,
                static_cast<double>((divergence_from(p, m) + divergence_from(q, m)) / 2), 1e-12);
    // These are the same distributions as probabilities, scaled; only the rounding to float differs.
    Values pf, qf;
    for (const long double v : p) pf.push_back(static_cast<float>(3 * v));
    for (const long double v : q) qf.push_back(static_cast<float>(3 * v));
    const DivergenceFigures g = of_one(Outputs::kProbabilities, pf, qf);
    EXPECT_NEAR(g.jensen_shannon.value, f.jensen_shannon.value, 1e-6);
  }
}

TEST(Divergence, FindsTheLargestDifferencesAndTheirPlaces) {
  stats::Random random(2);
  Divergence d(Outputs::kPlain);
  double absolute = 0, relative = 0, sum = 0;
  std::size_t sample_of_largest = 0, index_of_largest = 0;
  for (std::size_t s = 0; s < 50; ++s) {
    const Values a = random_logits(random, s % 7, 10), b = random_logits(random, s % 7, 10);
    ASSERT_TRUE(d.add(a, b).ok());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double difference = std::abs(double{a[i]} - double{b[i]});
      if (difference > absolute) absolute = difference, sample_of_largest = s, index_of_largest = i;
      relative =
          std::max(relative, difference / std::max(std::abs(double{a[i]}), std::abs(double{b[i]})));
      sum += difference;
    }
  }
  const DivergenceFigures f = d.figures();
  EXPECT_EQ(f.samples, 50);
  EXPECT_EQ(f.compared, f.values);
  EXPECT_EQ(f.largest_absolute.value, absolute);
  EXPECT_EQ(f.largest_absolute.sample, sample_of_largest);
  EXPECT_EQ(f.largest_absolute.index, index_of_largest);
  EXPECT_EQ(f.largest_relative.value, relative);
  EXPECT_NEAR(f.mean_absolute, sum / static_cast<double>(f.values), 1e-12);
  EXPECT_TRUE(std::isnan(f.agreement.value));
}

TEST(Divergence, CountsWhatIsNotFinite) {
  const DivergenceFigures f =
      of_one(Outputs::kPlain, {1, kNanOutput, kNanOutput, kInfinity, kInfinity, -kInfinity, 2, 0},
             {1, kNanOutput, 3, kInfinity, -kInfinity, 4, kNanOutput, 0});
  EXPECT_EQ(f.first.nan, 2);
  EXPECT_EQ(f.first.infinite, 3);
  EXPECT_EQ(f.second.nan, 2);
  EXPECT_EQ(f.second.infinite, 2);
  EXPECT_EQ(f.differ_in_kind, 4);
  EXPECT_EQ(f.values, 8);
  EXPECT_EQ(f.compared, 2);
  EXPECT_EQ(f.largest_absolute.value, 0);
}

TEST(Divergence, CountsSamplesWithoutDistribution) {
  Divergence d(Outputs::kLogits);
  ASSERT_TRUE(d.add(Values{1, 2}, Values{1, 2}).ok());
  ASSERT_TRUE(d.add(Values{1, 2}, Values{kNanOutput, 2}).ok());  // still the same top class
  ASSERT_TRUE(d.add(Values{kNanOutput, kNanOutput}, Values{kNanOutput, kNanOutput}).ok());  // none
  ASSERT_TRUE(d.add(Values{1, kInfinity}, Values{1, 2}).ok());
  ASSERT_TRUE(d.add(Values{-kInfinity, 2}, Values{-kInfinity, 5}).ok());  // a masked class
  // One run's scores are all NaN: no agreement, though the other's best class is the first.
  ASSERT_TRUE(d.add(Values{kNanOutput, kNanOutput}, Values{2, 1}).ok());
  ASSERT_TRUE(d.add(Values{2, 1}, Values{kNanOutput, kNanOutput}).ok());
  const DivergenceFigures f = d.figures();
  EXPECT_EQ(f.no_distribution, 5);
  EXPECT_EQ(f.kullback_leibler.samples, 2);
  EXPECT_EQ(f.kullback_leibler.value, 0);
  EXPECT_EQ(f.jensen_shannon.value, 0);
  EXPECT_EQ(f.agreement.value, 4.0 / 7);
  EXPECT_EQ(std::vector<std::uint8_t>(d.agreed().begin(), d.agreed().end()),
            (std::vector<std::uint8_t>{1, 1, 0, 1, 1, 0, 0}));
  EXPECT_EQ(of_one(Outputs::kProbabilities, {0.5F, -0.5F}, {1, 0}).no_distribution, 1);
  EXPECT_EQ(of_one(Outputs::kProbabilities, {0, 0}, {1, 0}).no_distribution, 1);
}

TEST(Divergence, OfDisjointDistributionsIsInfiniteAndLnTwo) {
  const DivergenceFigures f = of_one(Outputs::kProbabilities, {1, 0}, {0, 1});
  EXPECT_EQ(f.kullback_leibler.value, std::numeric_limits<double>::infinity());
  EXPECT_EQ(f.infinite_divergences, 1);
  EXPECT_NEAR(f.jensen_shannon.value, std::log(2.0), 1e-15);
  EXPECT_EQ(f.agreement.value, 0);
  // Far apart as logits: finite, though the smaller probabilities round to 0.
  EXPECT_NEAR(of_one(Outputs::kLogits, {2000, 0}, {0, 2000}).kullback_leibler.value, 2000, 1e-9);
  EXPECT_NEAR(of_one(Outputs::kLogits, {2000, 0}, {0, 2000}).jensen_shannon.value, std::log(2.0),
              1e-15);
}

TEST(Divergence, RefusesOutputsOfDifferentSizes) {
  Divergence d(Outputs::kLogits);
  EXPECT_EQ(d.add(Values{1, 2}, Values{1}).error().text(),
            "error: divergence of outputs: 2 values in the first run, but 1 in the second\n"
            "  hint: both must come from the same samples in the same order\n"
            "  [RIDGE-ACCU-0001]\n");
  EXPECT_EQ(d.add({}, {}).error().message(), "divergence of outputs: a sample without scores");
  EXPECT_EQ(d.figures().samples, 0);
}

}  // namespace
}  // namespace ridge::accuracy
