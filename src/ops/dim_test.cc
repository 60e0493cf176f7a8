// SPDX-License-Identifier: Apache-2.0
#include "ops/dim.h"

#include <gtest/gtest.h>

#include <limits>

#include <random>

namespace ridge::ops {
namespace {

TEST(Dim, HoldsEveryIntegerThatMayBeASizeOrAnIndex) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t v : {kMin, kMin + 1, std::int64_t{-1}, std::int64_t{0},
                               std::int64_t{1} << 62, -(std::int64_t{1} << 62), kMax - 1, kMax}) {
    EXPECT_TRUE(Dim(v).known()) << v;
    EXPECT_EQ(Dim(v).value(), v);
    EXPECT_FALSE(Dim(v).unknown() || Dim(v).symbolic());
  }
}

TEST(Dim, AnIntegerThatLooksLikeAnExpressionIsUnknown) {
  const std::int64_t first = -(std::int64_t{0x5bd1e995} << 32);
  for (const std::int64_t v : {first, first + 1, first + 0xffffffff})
    EXPECT_TRUE(Dim(v).unknown()) << v;
  EXPECT_TRUE(Dim(first - 1).known() && Dim(first + 0x100000000).known());
}

TEST(Dim, EqualExpressionsAreTheSameHoweverTheyWereMade) {
  DimPool p;
  const Dim b = p.symbol("batch"), s = p.symbol("seq");
  EXPECT_TRUE(p.mul(b, s).same(p.mul(s, b)));
  EXPECT_TRUE(p.add(b, s).same(p.add(s, b)));
  EXPECT_TRUE(p.mul(p.add(b, Dim(1)), p.sub(b, Dim(1))).same(p.sub(p.mul(b, b), Dim(1))));
  EXPECT_TRUE(p.sub(p.add(b, s), s).same(b));
  EXPECT_TRUE(p.sub(b, b).is(0));
  EXPECT_FALSE(Dim().same(Dim()));
}

TEST(Dim, ReadsAsTheFormulaItIs) {
  DimPool p;
  const Dim b = p.symbol("batch"), s = p.symbol("sequence");
  EXPECT_EQ(p.text(p.add(p.mul(p.mul(b, s), Dim(4)), Dim(2))), "4*batch*sequence + 2");
  EXPECT_EQ(p.text(p.sub(Dim(0), b)), "-batch");
  EXPECT_EQ(p.text(p.sub(b, Dim(1))), "batch - 1");
  EXPECT_EQ(p.text(p.floor_div(p.add(s, Dim(1)), Dim(2))), "((sequence + 1)//2)");
  EXPECT_EQ(p.text(p.max(b, s)), "max(batch, sequence)");
  EXPECT_EQ(p.text(Dim()), "?");
  EXPECT_EQ(p.text(Dim(-3)), "-3");
}

TEST(Dim, ExactDivisionsSimplify) {
  DimPool p;
  const Dim b = p.symbol("b"), s = p.symbol("s");
  EXPECT_TRUE(p.floor_div(p.mul(b, Dim(4)), Dim(4)).same(b));
  EXPECT_TRUE(p.floor_div(p.mul(p.mul(b, s), Dim(12)), p.mul(s, Dim(3))).same(p.mul(b, Dim(4))));
  EXPECT_TRUE(p.floor_div(p.mul(b, p.add(s, Dim(1))), p.add(s, Dim(1))).same(b));
  EXPECT_TRUE(p.floor_div(b, b).is(1));
  EXPECT_TRUE(p.mod(p.mul(b, Dim(8)), Dim(4)).is(0));
}

TEST(Dim, WholePartsLeaveAQuotient) {
  DimPool p;
  const Dim s = p.symbol("s");
  EXPECT_EQ(p.text(p.floor_div(p.add(p.mul(s, Dim(2)), Dim(1)), Dim(2))), "s");
  // Two ways in which exporters write the size of a strided convolution.
  EXPECT_TRUE(p.add(p.floor_div(p.sub(s, Dim(1)), Dim(2)), Dim(1))
                  .same(p.floor_div(p.add(s, Dim(1)), Dim(2))));
  EXPECT_TRUE(p.ceil_div(s, Dim(2)).same(p.floor_div(p.add(s, Dim(1)), Dim(2))));
  EXPECT_TRUE(p.floor_div(p.floor_div(s, Dim(2)), Dim(3)).same(p.floor_div(s, Dim(6))));
  const Dim half = p.floor_div(s, Dim(2));
  EXPECT_TRUE(p.add(p.mul(half, Dim(2)), p.mod(s, Dim(2))).same(s));
}

TEST(Dim, ExtremesOfComparableSizesAreOneOfThem) {
  DimPool p;
  const Dim s = p.symbol("s");
  EXPECT_TRUE(p.max(p.add(s, Dim(2)), s).same(p.add(s, Dim(2))));
  EXPECT_TRUE(p.min(s, p.add(s, Dim(2))).same(s));
  EXPECT_TRUE(p.max(s, Dim(0)).same(s));
  EXPECT_TRUE(p.max(s, s).same(s));
}

TEST(Dim, OverflowIsUnknownAndNoted) {
  DimPool p;
  const Dim huge(std::int64_t{1} << 62);
  EXPECT_TRUE(p.mul(huge, Dim(4)).unknown());
  EXPECT_TRUE(p.overflowed());
  p.clear_overflow();
  EXPECT_TRUE(p.mul(p.mul(p.symbol("b"), huge), Dim(4)).unknown());
  EXPECT_TRUE(p.overflowed());
  EXPECT_TRUE(p.floor_div(Dim(INT64_MIN), Dim(-1)).unknown());
  EXPECT_TRUE(p.floor_div(Dim(1), Dim(0)).unknown());
}

TEST(Dim, UnknownStaysUnknownButTimesZeroIsZero) {
  DimPool p;
  EXPECT_TRUE(p.add(Dim(), Dim(1)).unknown());
  EXPECT_TRUE(p.mul(Dim(), p.symbol("b")).unknown());
  EXPECT_TRUE(p.mul(Dim(), Dim(0)).is(0));
  EXPECT_FALSE(p.overflowed());
}

TEST(Dim, AnExpressionThatGrowsWithoutBoundBecomesUnknown) {
  DimPool p;
  Dim d = p.symbol("s");
  for (int i = 0; i < 10'000; ++i) d = p.min(p.add(d, Dim(i)), p.mul(d, Dim(2)));
  EXPECT_TRUE(d.unknown());
  Dim power = p.add(p.symbol("a"), p.add(p.symbol("b"), p.symbol("c")));
  for (int i = 0; i < 20; ++i) power = p.mul(power, power);
  EXPECT_TRUE(power.unknown());
}

TEST(Dim, HostileNamesDoNotCollide) {
  DimPool p;
  EXPECT_FALSE(p.symbol("a*b").same(p.mul(p.symbol("a"), p.symbol("b"))));
  EXPECT_FALSE(p.symbol("").same(p.symbol(" ")));
}

TEST(Dim, NamesItsSymbolsOnce) {
  DimPool p;
  const Dim d = p.floor_div(p.add(p.mul(p.symbol("z"), p.symbol("a")), p.symbol("z")), Dim(7));
  EXPECT_EQ(p.symbols(d), (std::vector<std::string>{"a", "z"}));
}

// Oracle: the same random expression computed on plain integers.
TEST(Dim, RandomExpressionsEvaluateAsPlainArithmetic) {
  std::mt19937_64 random(7);
  const std::int64_t sizes[] = {3, 5, 11};
  const auto size_of = [&](std::string_view name) -> std::optional<std::int64_t> {
    return sizes[static_cast<std::size_t>(name[0] - 'x')];
  };
  for (int round = 0; round < 2000; ++round) {
    DimPool p;
    std::vector<std::pair<Dim, std::int64_t>> known;
    for (int i = 0; i < 3; ++i)
      known.emplace_back(p.symbol(std::string(1, static_cast<char>('x' + i))), sizes[i]);
    for (int step = 0; step < 8; ++step) {
      const auto [a, va] = known[random() % known.size()];
      const auto [b, vb] =
          random() % 2 ? known[random() % known.size()]
                       : std::pair{Dim(static_cast<int>(random() % 7) + 1), std::int64_t{0}};
      const std::int64_t wb = b.known() ? b.value() : vb;
      if (std::abs(va) > 1'000'000 || std::abs(wb) > 1'000'000) continue;
      switch (random() % 7) {
        case 0:
          known.emplace_back(p.add(a, b), va + wb);
          break;
        case 1:
          known.emplace_back(p.sub(a, b), va - wb);
          break;
        case 2:
          known.emplace_back(p.mul(a, b), va * wb);
          break;
        case 3:
          if (wb > 0) known.emplace_back(p.floor_div(a, b), floor_div(va, wb));
          break;
        case 4:
          if (wb > 0) known.emplace_back(p.mod(a, b), va - wb * floor_div(va, wb));
          break;
        case 5:
          if (wb > 0) known.emplace_back(p.ceil_div(a, b), ceil_div(va, wb));
          break;
        default:
          known.emplace_back(p.min(a, b), std::min(va, wb));
          break;
      }
      if (known.back().first.unknown()) {
        known.pop_back();
        continue;
      }
      ASSERT_EQ(p.evaluate(known.back().first, size_of), known.back().second)
          << p.text(known.back().first);
    }
  }
}

}  // namespace
}  // namespace ridge::ops
