// SPDX-License-Identifier: Apache-2.0
#include "bricks/neighbors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "stats/normal.h"
#include "stats/random.h"

namespace ridge::bricks {
namespace {

constexpr std::string_view kConv = "Conv|float32";
constexpr std::int64_t kMega = 1'000'000;

MeasuredSize measured(std::string_view kind, std::int64_t macs, std::int64_t bytes, double ns) {
  return {{std::string(kind), macs, bytes}, ns};
}
Prediction predicted(const std::vector<MeasuredSize>& bricks, const BrickSize& size,
                     double bound_ns = 0) {
  return Neighbors(bricks).predict(size, bound_ns).value_or(Prediction{});
}

TEST(Neighbors, OfNothingPredictNothing) {
  EXPECT_FALSE(Neighbors({}).predict({std::string(kConv), kMega, kMega}, 5));
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Neighbors({measured(kConv, 1, 1, unknown), measured(kConv, 1, 1, -1)})
                   .predict({std::string(kConv), kMega, kMega}, 5));
}

TEST(Neighbors, OfTheSameSizeGiveTheirTime) {
  const std::vector<MeasuredSize> bricks{
      measured(kConv, kMega, kMega, 1234.5), measured(kConv, kMega, kMega + 1, 9999),
      measured("Conv|float16", kMega, kMega, 777), measured(kConv, 2 * kMega, kMega, 100),
      measured(kConv, 2 * kMega, kMega, 400)};
  const Prediction one = predicted(bricks, bricks[0].size);
  EXPECT_EQ(one.ns, 1234.5);
  EXPECT_EQ(one.neighbors, 1u);
  const Prediction two = predicted(bricks, bricks[3].size);
  EXPECT_NEAR(two.ns, 200, 1e-9);
  EXPECT_EQ(two.neighbors, 2u);
}

TEST(Neighbors, AreScaledToTheWork) {
  // The example of the header.
  const std::vector<MeasuredSize> two{measured(kConv, 2 * kMega, kMega, 100),
                                      measured(kConv, 8 * kMega, 4 * kMega, 440)};
  const Prediction middle = predicted(two, {std::string(kConv), 4 * kMega, 2 * kMega});
  EXPECT_NEAR(middle.ns, std::sqrt(200.0 * 220.0), 1e-9);
  EXPECT_EQ(middle.neighbors, 2u);
  const std::vector<MeasuredSize> one{two[0]};
  EXPECT_NEAR(predicted(one, {std::string(kConv), 4 * kMega, 2 * kMega}).ns, 200, 1e-9);
  EXPECT_NEAR(predicted(one, {std::string(kConv), kMega, kMega / 2}).ns, 50, 1e-9);
}

/// Bricks with MACs and bytes in all proportions, with time from either.
std::vector<MeasuredSize> grid(double per_mac, double per_byte) {
  std::vector<MeasuredSize> out;
  for (std::int64_t macs = kMega; macs <= 64 * kMega; macs *= 4)
    for (std::int64_t bytes = kMega; bytes <= 64 * kMega; bytes *= 4)
      out.push_back(
          measured(kConv, macs, bytes,
                   per_mac * static_cast<double>(macs) + per_byte * static_cast<double>(bytes)));
  return out;
}

TEST(Neighbors, AreScaledByWhatTheirTimesDependOn) {
  // Outside the grid, so that both neighbors and cost matter.
  const BrickSize size{std::string(kConv), 1000 * kMega, 4 * kMega};
  EXPECT_NEAR(predicted(grid(0.01, 0), size).ns / 10 / kMega, 1, 1e-6);
  EXPECT_NEAR(predicted(grid(0, 0.5), size).ns / 2 / kMega, 1, 1e-6);
  EXPECT_NEAR(predicted(grid(0.01, 0.01), size).ns / 10.04 / kMega, 1, 0.15);
  // One outlier does not turn the cost around.
  std::vector<MeasuredSize> spoilt = grid(0.01, 0);
  spoilt.front().ns *= 1000;
  EXPECT_NEAR(predicted(spoilt, size).ns / 10 / kMega, 1, 1e-6);
}

TEST(Neighbors, OfAFewBricksBorrowTheCostOfAll) {
  std::vector<MeasuredSize> bricks = grid(0, 0.5);
  bricks.push_back(measured("Gemm|float32", kMega, kMega, 100));
  EXPECT_NEAR(predicted(bricks, {"Gemm|float32", 8 * kMega, kMega}).ns, 100, 1e-6);
}

TEST(Neighbors, GrowWithTheWork) {
  const Neighbors neighbors(grid(0.01, 0.1));
  double last = 0;
  for (std::int64_t scale = 1; scale <= 4096; scale *= 2) {
    const auto p =
        neighbors.predict({std::string(kConv), scale * kMega / 8, scale * kMega / 10}, 0);
    EXPECT_GT(p->ns, last) << scale;
    last = p->ns;
  }
}

TEST(Neighbors, AreSoughtLevelByLevel) {
  // One more level is lost in every round.
  std::vector<MeasuredSize> bricks{
      measured("Conv Relu|float32", kMega, kMega, 100),
      measured("Conv Relu|float16", kMega, kMega, 200),
      measured("Add Conv|float32", kMega, kMega, 300),
      measured("Gemm Relu|float32", kMega, kMega, 400),
      measured("Softmax|float32", kMega, kMega, 500),
      measured("Conv Relu|float32", 0, kMega, 600),
  };
  const BrickSize size{"Conv Relu|float32", kMega, kMega};
  for (const double expected : {100, 200, 300, 400, 500, 600}) {
    const Prediction p = predicted(bricks, size);
    EXPECT_EQ(p.ns, expected);
    EXPECT_EQ(p.neighbors, 1u) << expected;
    bricks.erase(bricks.begin());
  }
}

TEST(Neighbors, WithoutMacsAreApart) {
  const std::vector<MeasuredSize> bricks{measured("Add|float32", 0, kMega, 100),
                                         measured("Add|float32", 1, kMega, 7000),
                                         measured("Mul|float32", 0, 4 * kMega, 500)};
  EXPECT_NEAR(predicted(bricks, {"Add|float32", 0, 2 * kMega}).ns, 200, 1e-9);
  EXPECT_NEAR(predicted(bricks, {"Add|float32", 2, 2 * kMega}).ns, 14000, 1e-6);
  EXPECT_EQ(predicted(bricks, {"Mul|float32", 0, 4 * kMega}).ns, 500);
  // Neither its kind nor its kernels are known: among those without MACs all count.
  EXPECT_EQ(predicted(bricks, {"Sub|float32", 0, 2 * kMega}).neighbors, 2u);
}

TEST(Neighbors, StayAboveTheBound) {
  const std::vector<MeasuredSize> bricks{measured(kConv, kMega, kMega, 100)};
  const Prediction free = predicted(bricks, bricks[0].size);
  EXPECT_NEAR(free.ci.lo, 25, 1e-9);
  EXPECT_NEAR(free.ci.hi, 400, 1e-9);
  const Prediction cut = predicted(bricks, bricks[0].size, 90);
  EXPECT_EQ(cut.ns, 100);
  EXPECT_EQ(cut.ci.lo, 90);
  EXPECT_NEAR(cut.ci.hi, 400, 1e-9);
  const Prediction raised = predicted(bricks, bricks[0].size, 150);
  EXPECT_EQ(raised.ns, 150);
  EXPECT_EQ(raised.ci.lo, 150);
  EXPECT_NEAR(raised.ci.hi, 600, 1e-9);
}

TEST(Neighbors, FartherAwayAreLessCertain) {
  const std::vector<MeasuredSize> bricks = grid(0.01, 0.1);
  const auto width = [&](std::int64_t macs, std::int64_t bytes) {
    const Prediction p = predicted(bricks, {std::string(kConv), macs, bytes});
    return p.ci.hi / p.ci.lo;
  };
  EXPECT_LT(width(5 * kMega, 5 * kMega), width(500 * kMega, 500 * kMega));
  EXPECT_LT(width(500 * kMega, 500 * kMega), width(50'000 * kMega, 50'000 * kMega));
}

double normal(stats::Random& random) {
  return stats::normal_quantile(random.uniform() * 0.999998 + 1e-6);
}

TEST(Neighbors, IntervalIsAQuantileOfTheErrorsOfThoseLeftOut) {
  // Bricks of one size are predicted by the geometric mean of the others.
  constexpr std::size_t kCount = 60;
  stats::Random random(5);
  std::vector<MeasuredSize> bricks;
  std::vector<double> logs, scores;
  double sum = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    logs.push_back(10 + 0.1 * normal(random));
    sum += logs.back();
    bricks.push_back(measured(kConv, kMega, kMega, std::exp(logs.back())));
  }
  for (const double l : logs) scores.push_back(std::abs(l - (sum - l) / (kCount - 1)));
  std::ranges::sort(scores);
  const Prediction p = predicted(bricks, bricks[0].size);
  EXPECT_NEAR(std::log(p.ns), sum / kCount, 1e-9);
  // ceil(0.95 * 61) = 58
  EXPECT_NEAR(std::log(p.ci.hi / p.ns), scores[57], 1e-9);
  EXPECT_NEAR(std::log(p.ns / p.ci.lo), scores[57], 1e-9);
}

TEST(Neighbors, IntervalOfAFewBricksIsStudents) {
  // Both are predicted by the other: twice the score ln 8, and t = 4.30 with 2 degrees of freedom.
  const std::vector<MeasuredSize> bricks{measured(kConv, kMega, kMega, 100),
                                         measured(kConv, kMega, kMega, 800)};
  const Prediction p = predicted(bricks, bricks[0].size);
  EXPECT_NEAR(std::log(p.ci.hi / p.ns), stats::student_quantile(0.975, 2) * std::log(8), 1e-6);
}

/// Seven kinds with costs of their own, sizes over four decades, a time per run of the kernel, and
/// log-normal noise.
MeasuredSize drawn(stats::Random& random, double noise) {
  constexpr std::array<std::string_view, 7> kKinds{
      "Conv|float32", "Gemm|float32", "Conv Relu|float32", "Add Conv|float32",
      "Add|float32",  "Relu|float32", "Concat|float32"};
  const std::size_t kind = random.below(kKinds.size());
  const double bytes = std::exp(9 + 9 * random.uniform());
  const double macs = kind < 4 ? bytes * 20 * std::exp(normal(random)) : 0;
  const double slower = 1 + 0.2 * static_cast<double>(kind);
  const double ns = 1000 + slower * (0.02 * macs + 0.1 * bytes);
  return measured(kKinds[kind], static_cast<std::int64_t>(macs), static_cast<std::int64_t>(bytes),
                  ns * std::exp(noise * normal(random)));
}

struct Coverage {
  double whole = 0, halved = 0;
};

/// Shares of new bricks whose time is in the interval from `count` others, and in one of half the
/// width.
Coverage neighbors_coverage(std::size_t count, double noise) {
  constexpr std::size_t kAsked = 4000, kPerDraw = 200;
  stats::Random random(11);
  Coverage out;
  for (std::size_t asked = 0; asked < kAsked; asked += kPerDraw) {
    std::vector<MeasuredSize> bricks;
    for (std::size_t i = 0; i < count; ++i) bricks.push_back(drawn(random, noise));
    const Neighbors neighbors(std::move(bricks));
    for (std::size_t i = 0; i < kPerDraw; ++i) {
      const MeasuredSize asked_for = drawn(random, noise);
      const auto p = neighbors.predict(asked_for.size, 0);
      const double error = std::abs(std::log(asked_for.ns / p->ns));
      const double half = std::log(p->ci.hi / p->ns);
      out.whole += (error <= half ? 1.0 : 0.0) / kAsked;
      out.halved += (error <= half / 2 ? 1.0 : 0.0) / kAsked;
    }
  }
  return out;
}

TEST(Neighbors, IntervalsCoverNewBricks) {
  for (const double noise : {0.05, 0.3})
    for (const std::size_t count : {30u, 100u, 500u}) {
      const Coverage c = neighbors_coverage(count, noise);
      EXPECT_GE(c.whole, 0.88) << count << ' ' << noise;
      EXPECT_LE(c.whole, 1) << count << ' ' << noise;
      // They are not wider than necessary.
      EXPECT_LT(c.halved, 0.88) << count << ' ' << noise;
    }
}

TEST(Neighbors, IntervalsCoverNewKinds) {
  // Ten kinds out of forty are not measured. They differ in cost, by far more than their sizes do.
  stats::Random random(17);
  int covered = 0, all = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<MeasuredSize> bricks, others;
    for (int kind = 0; kind < 40; ++kind) {
      const double slower = std::exp(0.5 * normal(random));
      for (int i = 0; i < 10; ++i) {
        const double bytes = std::exp(9 + 9 * random.uniform());
        (kind < 30 ? bricks : others)
            .push_back(measured("Op" + std::to_string(kind) + "|float32", 0,
                                static_cast<std::int64_t>(bytes),
                                slower * bytes * std::exp(0.02 * normal(random))));
      }
    }
    const Neighbors neighbors(std::move(bricks));
    for (const MeasuredSize& other : others) {
      covered += neighbors.predict(other.size, 0)->ci.contains(other.ns) ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GE(covered, 0.88 * all);
}

TEST(Neighbors, AreTheSameInAnyOrder) {
  stats::Random random(3);
  std::vector<MeasuredSize> bricks;
  for (int i = 0; i < 300; ++i) {
    bricks.push_back(drawn(random, 0.1));
    bricks.push_back(bricks.back());  // ties
    bricks.back().ns *= 1.5;
  }
  std::vector<MeasuredSize> others = bricks;
  stats::shuffle(others, random);
  const Neighbors a(std::move(bricks)), b(std::move(others));
  for (int i = 0; i < 100; ++i) {
    const BrickSize size = drawn(random, 0).size;
    const auto p = a.predict(size, 0), q = b.predict(size, 0);
    EXPECT_EQ(p->ns, q->ns);
    EXPECT_EQ(p->ci, q->ci);
  }
}

TEST(Neighbors, SurviveHostileValues) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max(), kMin = -kMax - 1;
  const std::array<std::string_view, 5> kinds{"", "|", " Conv  Conv |", "Relu", "Relu|a|b"};
  const std::array<std::int64_t, 5> sizes{kMin, 0, 1, kMega, kMax};
  const std::array<double, 6> times{0, 1e-300, 1, 1e300, kInfinity, -kInfinity};
  std::vector<BrickSize> asked;
  for (const std::string_view kind : kinds)
    for (const std::int64_t macs : sizes)
      for (const std::int64_t bytes : sizes) asked.push_back({std::string(kind), macs, bytes});
  for (std::size_t step = 1; step < asked.size(); step += 7) {
    std::vector<MeasuredSize> bricks{{asked[0], 1}};
    for (std::size_t i = 0; i < asked.size(); i += step)
      bricks.push_back({asked[i], times[i % times.size()]});
    const Neighbors neighbors(std::move(bricks));
    for (const BrickSize& size : asked)
      for (const double bound : {-1.0, 0.0, 5.0, 1e308, kInfinity, std::nan("")}) {
        const auto p = neighbors.predict(size, bound);
        EXPECT_TRUE(std::isfinite(p->ci.lo) && std::isfinite(p->ci.hi));
        EXPECT_TRUE(p->ci.contains(p->ns));
        EXPECT_GE(p->neighbors, 1u);
        EXPECT_GE(p->ci.lo, std::isfinite(bound) ? bound : 0);
      }
  }
}

TEST(Neighbors, AreFoundAmongThousands) {
  stats::Random random(9);
  std::vector<MeasuredSize> bricks;
  for (int i = 0; i < 5000; ++i) bricks.push_back(drawn(random, 0.02));
  const Neighbors neighbors(std::move(bricks));
  std::size_t close = 0;
  for (int i = 0; i < 1000; ++i) {
    const MeasuredSize exact = drawn(random, 0);
    close += std::abs(std::log(neighbors.predict(exact.size, 0)->ns / exact.ns)) < 0.05 ? 1 : 0;
  }
  EXPECT_GE(close, 950u);
}

}  // namespace
}  // namespace ridge::bricks
