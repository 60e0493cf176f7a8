// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/polynomial.h"

#include <gtest/gtest.h>

#include <random>

namespace ridge::analysis {
namespace {

using ops::Dim;
using ops::DimPool;

TEST(Polynomial, PrintsHighestDegreesFirstAndPowers) {
  DimPool pool;
  const Dim b = pool.symbol("b"), s = pool.symbol("s");
  Polynomial sum(pool);
  sum.add(Dim(5));
  sum.add(pool.mul(b, pool.mul(s, s)));
  sum.add(pool.mul(Dim(12), pool.mul(b, pool.mul(s, s))));
  sum.add(pool.sub(Dim(0), s));
  EXPECT_EQ(sum.text(), "13*b*s^2 - s + 5");
  EXPECT_EQ(Polynomial(pool).text(), "0");
}

TEST(Polynomial, WhatIsNoPolynomialStaysAnAtom) {
  DimPool pool;
  const Dim h = pool.floor_div(pool.symbol("h"), Dim(2));
  Polynomial sum(pool);
  sum.add(pool.mul(Dim(3), pool.mul(h, h)));
  sum.add(pool.max(pool.symbol("h"), Dim(7)));
  EXPECT_EQ(sum.text(), "3*(h//2)^2 + max(h, 7)");
}

TEST(Polynomial, TermsThatCancelAreGone) {
  DimPool pool;
  const Dim b = pool.symbol("b");
  Polynomial sum(pool);
  sum.add(b);
  sum.add(pool.sub(Dim(0), b));
  EXPECT_EQ(sum.text(), "0");
  EXPECT_TRUE(sum.terms().empty());
}

TEST(Polynomial, ACoefficientPastTheLimitIsSaid) {
  DimPool pool;
  Polynomial sum(pool);
  sum.add(Dim(INT64_MAX));
  EXPECT_FALSE(sum.overflowed());
  sum.add(Dim(1));
  EXPECT_TRUE(sum.overflowed());
}

/// Compares random sums of products with the same arithmetic on numbers.
TEST(Polynomial, EvaluatesToTheSumOfWhatWasAdded) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    DimPool pool;
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    const std::int64_t values[] = {1 + below(9), 1 + below(9), 1 + below(9)};
    const char* names[] = {"a", "b", "c"};
    const auto size = [&](std::string_view name) {
      return std::optional(values[name.front() - 'a']);
    };
    Polynomial sum(pool);
    std::int64_t expected = 0;
    for (int i = 0; i < 12; ++i) {
      Dim d(static_cast<std::int64_t>(random() % 5));
      std::int64_t number = d.value();
      for (std::int64_t k = below(4); k-- > 0;) {
        const std::int64_t which = below(3), by = 1 + below(3);
        const bool quotient = random() % 3 == 0;
        const Dim factor = pool.symbol(names[which]);
        d = pool.mul(d, quotient ? pool.floor_div(factor, Dim(by)) : factor);
        number *= quotient ? values[which] / by : values[which];
      }
      sum.add(d);
      expected += number;
    }
    ASSERT_EQ(sum.evaluate(size), expected) << sum.text();
  }
}

TEST(Highest, KeepsWhatNoOtherExceedsForSizesOfAtLeastOne) {
  DimPool pool;
  const Dim b = pool.symbol("b"), s = pool.symbol("s");
  Highest highest(pool);
  highest.take(Dim(4));
  highest.take(pool.mul(Dim(4), s));
  highest.take(pool.mul(Dim(4), pool.mul(b, s)));
  EXPECT_EQ(pool.text(highest.value()), "4*b*s");
  highest.take(pool.mul(s, s));
  EXPECT_EQ(pool.text(highest.value()), "max(4*b*s, s^2)");
}

TEST(Highest, IsTheLargestOfItsCandidatesAtEveryPoint) {
  std::mt19937 random(6);
  for (int round = 0; round < 100; ++round) {
    DimPool pool;
    const Dim b = pool.symbol("b"), s = pool.symbol("s");
    std::vector<Dim> candidates;
    Highest highest(pool);
    for (int i = 0; i < 5; ++i) {
      Dim d(static_cast<std::int64_t>(random() % 20));
      for (auto k = static_cast<int>(random() % 3); k-- > 0;)
        d = pool.add(pool.mul(d, random() % 2 == 0 ? b : s),
                     Dim(static_cast<std::int64_t>(random() % 7)));
      candidates.push_back(d);
      highest.take(d);
    }
    for (std::int64_t bv = 1; bv < 6; ++bv) {
      for (std::int64_t sv = 1; sv < 6; ++sv) {
        const auto size = [&](std::string_view name) {
          return std::optional(name == "b" ? bv : sv);
        };
        std::int64_t largest = 0;
        for (const Dim d : candidates) largest = std::max(largest, *pool.evaluate(d, size));
        ASSERT_EQ(pool.evaluate(highest.value(), size), largest);
      }
    }
  }
}

TEST(Highest, IsUnknownWhereACandidateIs) {
  DimPool pool;
  Highest highest(pool);
  highest.take(Dim(4));
  highest.take(Dim());
  EXPECT_TRUE(highest.value().unknown());
}

}  // namespace
}  // namespace ridge::analysis
