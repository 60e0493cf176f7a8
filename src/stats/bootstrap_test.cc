#include "stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::stats {
namespace {

// The whole bootstrap distribution of the mean of five values: all 5^5 resamples, no random
// numbers.
std::vector<double> every_resampled_mean(const std::vector<double>& x) {
  std::vector<double> out;
  for (int code = 0; code < 3125; ++code) {
    double sum = 0;
    for (int i = 0, rest = code; i < 5; ++i, rest /= 5)
      sum += x[static_cast<std::size_t>(rest % 5)];
    out.push_back(sum / 5);
  }
  std::sort(out.begin(), out.end());
  return out;
}

const std::vector<double> kSkewed = {1.0, 1.3, 2.1, 3.7, 9.2};

double lognormal(Random& random) { return std::exp(normal_quantile(random.uniform() + 1e-18)); }

TEST(PercentileBootstrap, ApproachesTheExhaustiveDistribution) {
  const std::vector<double> all = every_resampled_mean(kSkewed);
  const Estimate e = percentile_bootstrap(kSkewed, mean, {.resamples = 200'000});
  EXPECT_NEAR(e.ci.lo, quantile_of_sorted(all, 0.025), 0.03);
  EXPECT_NEAR(e.ci.hi, quantile_of_sorted(all, 0.975), 0.03);
}

TEST(BcaBootstrap, ApproachesTheExhaustiveFormula) {
  // Efron (1987), with z0 from all resamples; for the mean the acceleration is sum((x-m)^3) / (6
  // sum((x-m)^2)^1.5).
  const std::vector<double> all = every_resampled_mean(kSkewed);
  const double m = mean(kSkewed);
  double squares = 0, cubes = 0;
  for (const double v : kSkewed) {
    squares += (v - m) * (v - m);
    cubes += (v - m) * (v - m) * (v - m);
  }
  const double a = cubes / (6 * std::pow(squares, 1.5));
  double below = 0;
  for (const double r : all) below += r < m - 1e-9 ? 1 : (r < m + 1e-9 ? 0.5 : 0);
  const double z0 = normal_quantile(below / 3125);
  const auto bound = [&](double p) {
    const double z = z0 + normal_quantile(p);
    return quantile_of_sorted(all, normal_cdf(z0 + z / (1 - a * z)));
  };
  const Estimate e = bca_bootstrap(kSkewed, mean, {.resamples = 200'000});
  EXPECT_DOUBLE_EQ(e.value, m);
  EXPECT_NEAR(e.ci.lo, bound(0.025), 0.05);
  EXPECT_NEAR(e.ci.hi, bound(0.975), 0.05);
}

TEST(BootstrapMedian, CoversTheMedianOfASkewedPopulation) {
  Random random(5);
  constexpr int kTrials = 600;
  int covered = 0;
  for (int t = 0; t < kTrials; ++t) {
    std::vector<double> x(25);
    for (double& v : x) v = lognormal(random);
    covered += bootstrap_median(x, {.resamples = 500}).ci.contains(1.0) ? 1 : 0;
  }
  EXPECT_GE(covered, kTrials * 0.91);
  EXPECT_LE(covered, kTrials * 0.99);
}

TEST(BootstrapMedian, IsTheSameForTheSameSeed) {
  Random random(9);
  std::vector<double> x(40);
  for (double& v : x) v = random.uniform();
  EXPECT_EQ(bootstrap_median(x).ci, bootstrap_median(x).ci);
}

TEST(BootstrapMedian, OfEqualValuesIsAPoint) {
  const Estimate e = bootstrap_median(std::vector<double>(12, 3.5));
  EXPECT_EQ(e.value, 3.5);
  EXPECT_EQ(e.ci, (Interval{3.5, 3.5}));
}

TEST(BootstrapMedian, OfNothingIsNaN) {
  const Estimate e = bootstrap_median({});
  EXPECT_TRUE(std::isnan(e.value));
  EXPECT_TRUE(std::isnan(e.ci.lo));
  const Estimate h = hierarchical_median({});
  EXPECT_TRUE(std::isnan(h.value));
}

TEST(HierarchicalMedian, PoolsTheProcesses) {
  const std::vector<std::vector<double>> processes = {{1, 2, 3}, {}, {10, 11}};
  const Estimate e = hierarchical_median(processes);
  EXPECT_EQ(e.value, 3);
  EXPECT_TRUE(e.ci.contains(3));
  EXPECT_EQ(e.ci.lo, 1);
  EXPECT_EQ(e.ci.hi, 11);
}

TEST(HierarchicalMedian, IsAsWideAsTheProcessesDiffer) {
  // Eight processes whose level varies by 1 and whose samples vary by 0.01: pooling hides the
  // former, the hierarchy shows it.
  Random random(21);
  constexpr int kTrials = 300;
  int hierarchical = 0, pooled = 0;
  for (int t = 0; t < kTrials; ++t) {
    std::vector<std::vector<double>> processes(8);
    std::vector<double> all;
    for (auto& p : processes) {
      const double level = 100 + normal_quantile(random.uniform() + 1e-18);
      for (int i = 0; i < 20; ++i) p.push_back(level + 0.01 * random.uniform());
      all.insert(all.end(), p.begin(), p.end());
    }
    hierarchical += hierarchical_median(processes, {.resamples = 400}).ci.contains(100.005) ? 1 : 0;
    pooled += bootstrap_median(all, {.resamples = 100}).ci.contains(100.005) ? 1 : 0;
  }
  EXPECT_GE(hierarchical, kTrials * 0.88);
  EXPECT_LE(pooled, kTrials * 0.75);
}

}  // namespace
}  // namespace ridge::stats
