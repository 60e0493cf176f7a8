// SPDX-License-Identifier: Apache-2.0
#include "accelerator/padding.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "accelerator/scalesim/window_addresses.h"

namespace ridge::accelerator {
namespace {

std::string parsed(std::string_view text) {
  const auto rules = parse_pads(text);
  if (!rules.ok()) return rules.error().text();
  std::string out;
  for (const PadRule& rule : *rules) out += (out.empty() ? "" : " ") + name(rule);
  return out;
}

TEST(Padding, RulesAreMultiplesOfEachSide) {
  EXPECT_EQ(parsed("none,16x16x16,32x8x16"), "none 16x16x16 32x8x16");
  EXPECT_EQ(parsed("16x*x16,k8,m16k8,n4m2,*x*x*,m1"), "16x*x16 *x*x8 16x*x8 2x4x* none none");
  EXPECT_EQ(parse_pad("32x8x16")->m, 32);
  EXPECT_EQ(parse_pad("32x8x16")->n, 8);
  EXPECT_EQ(parse_pad("32x8x16")->k, 16);
}

TEST(Padding, RefusesWhatIsNoRule) {
  EXPECT_EQ(parsed("16x16"),
            "error: invalid padding '16x16'\n"
            "  hint: multiples of M, N and K from 1 to 65536: 16x16x16, 16x*x16, k8, m16k8, or "
            "none\n"
            "  [RIDGE-ACC-0151]\n");
  for (const char* text :
       {"", "none,", "0x1x1", "16x16x16x16", "x", "16xx16", "-1x1x1", "m", "16m", "m8m8", "q8",
        "m65537", "*", "99999999999999999999x1x1", "mk8", "None", " 16x16x16"})
    EXPECT_NE(parsed(text).find("RIDGE-ACC-0151"), std::string::npos) << text;
}

/// A fragment-wise walk processes every fragment that contains an element of the product, as a
/// whole.
TEST(Padding, IsWhatWholeFragmentsHold) {
  std::mt19937 random(5);
  const auto upto = [&](int most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  for (int round = 0; round < 1000; ++round) {
    const PadRule rule{upto(5), upto(5), upto(5)};
    const Gemm g = matrix_product(upto(9), upto(9), upto(9), upto(3));
    std::set<std::pair<std::int64_t, std::int64_t>> a, b, c;
    std::int64_t macs = 0;
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> fragments;
    for (std::int64_t m = 0; m < g.m; ++m)
      for (std::int64_t n = 0; n < g.n; ++n)
        for (std::int64_t k = 0; k < g.k; ++k)
          fragments.insert({m / rule.m, n / rule.n, k / rule.k});
    for (const auto& [i, j, l] : fragments)
      for (std::int64_t m = i * rule.m; m < (i + 1) * rule.m; ++m)
        for (std::int64_t n = j * rule.n; n < (j + 1) * rule.n; ++n)
          for (std::int64_t k = l * rule.k; k < (l + 1) * rule.k; ++k) {
            macs += g.count;
            a.insert({m, k}), b.insert({k, n}), c.insert({m, n});
          }
    const Gemm p = padded(g, rule).value();
    ASSERT_EQ(p.macs(), macs);
    ASSERT_EQ(p.window.elements(), std::ssize(a));
    ASSERT_EQ(p.k * p.n, std::ssize(b));
    ASSERT_EQ(p.m * p.n, std::ssize(c));
    ASSERT_EQ(p.count, g.count);
  }
}

Gemm padded_convolution(std::int64_t size, std::int64_t filter, std::int64_t channels,
                        std::int64_t filters) {
  Gemm g;
  g.window.channels = channels;
  for (const std::size_t i : {1U, 2U})
    g.window.axes[i] = {.size = size, .filter = filter, .out = size - filter + 1};
  g.m = (size - filter + 1) * (size - filter + 1);
  g.n = filters;
  g.k = filter * filter * channels;
  return g;
}

/// Number of distinct elements in memory that the product reads, position by position.
std::int64_t distinct(const Gemm& g) {
  const WindowAddresses addresses(g.window);
  std::set<std::int64_t> seen;
  for (std::int64_t m = 0; m < g.m; ++m)
    for (std::int64_t k = 0; k < g.k; ++k) seen.insert(addresses.at(m, k));
  seen.erase(-1);
  return std::ssize(seen);
}

TEST(Padding, PadsTheChannelsOfFeatureMapsThatAreReadInPlace) {
  // 4 channels under 3 x 3: 36 columns become 72 = 9 x 8. 16 positions become 24: the added rows
  // are zeros.
  const Gemm g = padded(padded_convolution(6, 3, 4, 5), {24, 8, 72}).value();
  EXPECT_EQ(g.m, 24);
  EXPECT_EQ(g.n, 8);
  EXPECT_EQ(g.k, 72);
  EXPECT_EQ(g.window.channels, 8);
  EXPECT_EQ(distinct(g), 6 * 6 * 8);
}

TEST(Padding, WritesColumnsOutThatNoFeatureMapHas) {
  // 3 channels under 7 x 7 are 147 columns; 160 is not a multiple of 49.
  const Gemm g = padded(padded_convolution(12, 7, 3, 64), {16, 16, 16}).value();
  EXPECT_EQ(g.m, 48);
  EXPECT_EQ(g.k, 160);
  EXPECT_EQ(g.window, matrix_product(48, 64, 160).window);
  EXPECT_EQ(distinct(g), 48 * 160);
}

TEST(Padding, LeavesWhatFitsAsItIs) {
  const Gemm g = padded_convolution(10, 3, 16, 32);  // 64 positions, 144 columns
  EXPECT_EQ(padded(g, {16, 16, 16}).value(), g);
  const Gemm odd = padded_convolution(9, 3, 5, 7);
  EXPECT_EQ(padded(odd, PadRule{}).value(), odd);
}

TEST(Padding, RefusesProductsThatCannotBeCounted) {
  const auto huge = padded(matrix_product(1, 1, std::int64_t{1} << 60), {16, 16, 16});
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().text(),
            "error: padded to 16x16x16, 1x1x1152921504606846976 times 1 exceeds 2^63 - 1 "
            "multiply-accumulates\n"
            "  [RIDGE-ACC-0152]\n");
}

}  // namespace
}  // namespace ridge::accelerator
