// SPDX-License-Identifier: Apache-2.0
// Expected values come from Python's operators (sympy's Max, Min, Mod, floor, ceiling).
#include "analysis/sizes/size_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>

namespace ridge::analysis {
namespace {

using Values = std::map<std::string, std::int64_t, std::less<>>;
using Solution = SizeExpression::Solution;

SizeExpression::ValueOf in(const Values& values) {
  return [&values](std::string_view name) -> std::optional<std::int64_t> {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  };
}

std::optional<SizeExpression> parsed(std::string_view text) {
  return parse_size(text, [](std::string_view name) { return name.size() == 1; });
}

std::optional<std::int64_t> value_of_text(std::string_view text, const Values& values) {
  const auto e = parsed(text);
  EXPECT_TRUE(e.has_value()) << text;
  return e ? e->evaluate(in(values)) : std::nullopt;
}

std::string solved(std::string_view text, std::string_view name, std::int64_t value,
                   const Values& values = {}) {
  const auto e = parsed(text);
  if (!e) return "no expression";
  const Solution s = e->solve(name, value, in(values));
  if (s.kind == Solution::Kind::kNone) return "none";
  if (s.kind == Solution::Kind::kNotFound) return "not found";
  return s.one() ? fmt::format("{}", *s.one()) : fmt::format("{} to {}", s.least, s.most);
}

TEST(SizeExpression, EvaluatesWhatExportersWrite) {
  const Values v = {{"past_sequence_length", 15}, {"sequence_length", 1}, {"s0", 10}, {"s1", 4}};
  EXPECT_EQ(value_of_text("past_sequence_length + sequence_length", v), 16);
  EXPECT_EQ(value_of_text("2*s0", v), 20);
  EXPECT_EQ(value_of_text("(s0 - 3)//2 + 1", v), 4);
  EXPECT_EQ(value_of_text("((s0 - 3)//2) + 1", v), 4);
  EXPECT_EQ(value_of_text("Max(1, s0 - 12, s1)", v), 4);
  EXPECT_EQ(value_of_text("Min(s0, Max(s1, 7))", v), 7);
  EXPECT_EQ(value_of_text("s0**2 - s1", v), 96);
  EXPECT_EQ(value_of_text("-s1 + s0", v), 6);
  EXPECT_EQ(value_of_text("Mod(s0, 4)", v), 2);
  EXPECT_EQ(value_of_text("s0 % 4", v), 2);
  EXPECT_EQ(value_of_text("FloorDiv(s0 + 1, s1)", v), 2);
  EXPECT_EQ(value_of_text("CeilDiv(s0, s1)", v), 3);
  EXPECT_EQ(value_of_text("floor(s0/4)", v), 2);
  EXPECT_EQ(value_of_text("ceiling(s0/4)", v), 3);
  EXPECT_EQ(value_of_text("floor((s0 - 1)/2) + 1", v), 5);
  EXPECT_EQ(value_of_text("s0/2", v), 5);
}

TEST(SizeExpression, HasPythonsPrecedence) {
  const Values v = {{"a", 7}, {"b", 2}, {"c", 3}};
  EXPECT_EQ(value_of_text("a - b - c", v), 2);
  EXPECT_EQ(value_of_text("a - (b - c)", v), 8);
  EXPECT_EQ(value_of_text("a + b*c", v), 13);
  EXPECT_EQ(value_of_text("a//b*c", v), 9);
  EXPECT_EQ(value_of_text("a//(b*c)", v), 1);
  EXPECT_EQ(value_of_text("-b**2", v), -4);
  EXPECT_EQ(value_of_text("b**c**b", v), 512);
  EXPECT_EQ(value_of_text("a*-b", v), -14);
  EXPECT_EQ(value_of_text("-a//b", v), -4);
  EXPECT_EQ(value_of_text("- -a", v), 7);
  EXPECT_EQ(value_of_text("(-a) % c", v), 2);
}

TEST(SizeExpression, WithoutAValueWhereThereIsNone) {
  EXPECT_EQ(value_of_text("a + b", {{"a", 1}}), std::nullopt);
  EXPECT_EQ(value_of_text("a//b", {{"a", 1}, {"b", 0}}), std::nullopt);
  EXPECT_EQ(value_of_text("a % b", {{"a", 1}, {"b", 0}}), std::nullopt);
  EXPECT_EQ(value_of_text("a/2", {{"a", 3}}), std::nullopt);
  EXPECT_EQ(value_of_text("a*a", {{"a", std::int64_t{1} << 40}}), std::nullopt);
  EXPECT_EQ(value_of_text("a**b", {{"a", 2}, {"b", 17}}), std::nullopt);
  EXPECT_EQ(value_of_text("9223372036854775807 + a", {{"a", 1}}), std::nullopt);
  EXPECT_EQ(value_of_text("a//(-1)", {{"a", 5}}), -5);
}

TEST(SizeExpression, OtherTextsAreNames) {
  for (const char* name : {"batch",
                           "batch-size",
                           "encoder/length",
                           "batch_size",
                           "unk__12",
                           "2s",
                           "a b",
                           "a +",
                           "+ a",
                           "(a",
                           "a)",
                           "a)(b",
                           "()",
                           "",
                           " ",
                           "a,b",
                           "Max()",
                           "Mod(a)",
                           "f(a)",
                           "Max(a,)",
                           "a[0]+1",
                           "0.5*a",
                           "floor(a/2 + 1/2)",
                           "16",
                           "4*16",
                           "(a)",
                           "a ** ",
                           "a*/b",
                           "99999999999999999999*a",
                           "Max(a, b",
                           "-",
                           "a--",
                           "h.w",
                           "a::b",
                           "((((((((",
                           "*",
                           "a*(b"})
    EXPECT_FALSE(parsed(name)) << name;
}

TEST(SizeExpression, AHyphenJoinsANameUnlessBothPartsAreSizes) {
  EXPECT_FALSE(parsed("batch-size"));
  EXPECT_TRUE(parsed("batch - size"));
  EXPECT_TRUE(parsed("a-b"));    // here names of one letter are sizes
  EXPECT_TRUE(parsed("s0-s1"));  // torch's symbols
  EXPECT_TRUE(parsed("batch-1"));
  EXPECT_FALSE(parsed("batch-a"));
  EXPECT_FALSE(parsed("in/out + 1"));
}

TEST(SizeExpression, IsBounded) {
  std::string sum = "a";
  for (int i = 0; i < 62; ++i) sum += "+a";
  EXPECT_EQ(value_of_text(sum, {{"a", 2}}), 126);
  EXPECT_FALSE(parsed(sum + "+a+a+a+a"));
  EXPECT_FALSE(parsed(std::string(kMaxSizeText, '(') + "a+1"));
  EXPECT_FALSE(parsed(std::string(300, '(') + "a+1" + std::string(300, ')')));
  EXPECT_FALSE(parsed("a+" + std::string(200, '-') + "b"));
  EXPECT_TRUE(parsed(std::string(40, '(') + "a+1" + std::string(40, ')')));
}

TEST(SizeExpression, NamesAreSortedAndTheTextMayDiffer) {
  EXPECT_EQ(parsed("s1 + 2*s0 + s1")->names(), (std::vector<std::string>{"s0", "s1"}));
  EXPECT_TRUE(parsed("past + seq") == parsed("(past+seq)"));
  EXPECT_FALSE(parsed("past + seq") == parsed("past + 2*seq"));
}

TEST(SizeExpression, GivesItsUnknownWhereOneFits) {
  EXPECT_EQ(solved("past + seq", "past", 16, {{"seq", 1}}), "15");
  EXPECT_EQ(solved("past + seq", "past", 16, {{"seq", 16}}), "0");
  EXPECT_EQ(solved("past + seq", "past", 16, {{"seq", 17}}), "none");
  EXPECT_EQ(solved("2*a", "a", 8), "4");
  EXPECT_EQ(solved("2*a", "a", 7), "none");
  EXPECT_EQ(solved("10 - 3*a", "a", 1), "3");
  EXPECT_EQ(solved("a**2 + a", "a", 12), "3");
  EXPECT_EQ(solved("a/4", "a", 8), "32");
  EXPECT_EQ(solved("a*b", "a", 12, {{"b", 4}}), "3");
}

TEST(SizeExpression, TellsWhereSeveralFitOrItCannotKnow) {
  EXPECT_EQ(solved("(s0 - 3)//2 + 1", "s0", 4), "9 to 10");
  EXPECT_EQ(solved("Max(1, a)", "a", 1), "0 to 1");
  EXPECT_EQ(solved("Max(1, a)", "a", 0), "none");
  EXPECT_EQ(solved("Max(1, a)", "a", 5), "5");
  EXPECT_EQ(solved("Min(8, a)", "a", 8), "8 to 1099511627776");
  EXPECT_EQ(solved("Mod(a, 4)", "a", 2), "not found");
  EXPECT_EQ(solved("a*a - 8*a", "a", 9), "not found");
  EXPECT_EQ(solved("a*b", "a", 0, {{"b", 0}}), "0 to 1099511627776");
  EXPECT_EQ(solved("a*b", "a", 12), "not found");
}

/// Every answer that solve() gives is compared with all sizes up to 200.
TEST(SizeExpression, SolvesLikeATrialOfAllSizes) {
  const Values v = {{"b", 3}};
  for (const char* text : {"a + b", "2*a - b", "(a - 3)//2 + 1", "floor(a/3)", "ceiling(a/3)",
                           "a/3", "a/3 + a", "b - a", "10 - a//2", "Max(a, b)", "Min(a, 2*b)",
                           "a*(a + b)", "-a", "CeilDiv(a, 2)*2", "a**3", "Max(1, a//4) + a"}) {
    const auto e = parsed(text);
    ASSERT_TRUE(e) << text;
    for (std::int64_t wanted = -5; wanted <= 40; ++wanted) {
      std::vector<std::int64_t> fit;
      for (std::int64_t a = 0; a <= 200; ++a) {
        Values all = v;
        all["a"] = a;
        if (e->evaluate(in(all)) == wanted) fit.push_back(a);
      }
      const Solution s = e->solve("a", wanted, in(v));
      ASSERT_NE(s.kind, Solution::Kind::kNotFound) << text;
      if (fit.empty()) {
        EXPECT_EQ(s.kind, Solution::Kind::kNone) << text << " = " << wanted;
        continue;
      }
      ASSERT_EQ(s.kind, Solution::Kind::kRange) << text << " = " << wanted;
      EXPECT_EQ(s.least, fit.front()) << text << " = " << wanted;
      if (fit.back() < 200) {
        EXPECT_EQ(s.most, fit.back()) << text << " = " << wanted;
      }
    }
  }
}

TEST(SizeExpression, IsAPolynomialOfItsNames) {
  ops::DimPool pool;
  const auto text = [&](std::string_view expression) {
    return pool.text(
        parsed(expression)->dim([&](std::string_view name) { return pool.symbol(name); }, pool));
  };
  EXPECT_EQ(text("past + seq"), "past + seq");
  EXPECT_EQ(text("2*(past + seq) - seq"), "2*past + seq");
  EXPECT_EQ(text("(a - 3)//2 + 1"), "((a + 1)//2) - 1");
  EXPECT_EQ(text("Max(1, a, b)"), "max(a, b, 1)");
  EXPECT_EQ(text("a**2"), "a^2");
  EXPECT_EQ(text("a**17"), "?");
}

}  // namespace
}  // namespace ridge::analysis
