// SPDX-License-Identifier: Apache-2.0
// Oracles: jiwer on random texts; the quadratic table of distances; Python's own classes of
// characters for all of Unicode.
#include "accuracy/error_rate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "accuracy/characters.h"
#include "accuracy/edit_distance.h"
#include "accuracy/testing.h"
#include "stats/random.h"

namespace ridge::accuracy {
namespace {

std::uint64_t distance_by_table(std::u32string_view a, std::u32string_view b) {
  std::vector<std::uint64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint64_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint64_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

TEST(EditDistance, IsThatOfTheTable) {
  stats::Random random(1);
  for (int n = 0; n < 2000; ++n) {
    // Lengths around the multiples of a block's 64 rows; few symbols make many alignments.
    const std::size_t symbols = 1 + random.below(n % 3 == 0 ? 1000 : 4);
    const auto text = [&] {
      std::u32string t(random.below(n % 5 == 0 ? 200 : 70), U' ');
      for (char32_t& c : t) c = static_cast<char32_t>(random.below(symbols));
      return t;
    };
    const std::u32string a = text(), b = text();
    ASSERT_EQ(edit_distance(a, b), distance_by_table(a, b)) << n;
  }
  EXPECT_EQ(edit_distance(code_points("kitten"), code_points("sitting")), 3);
}

std::string utf8(char32_t c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0U | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0U | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | c >> 18), tail(12), tail(6), tail(0)};
}

/// Few letters, so that texts have words in common, of one to four bytes; white space of all kinds.
std::string random_text(stats::Random& random) {
  static constexpr char32_t kLetters[] = {'a', 'b', 'A', 0xE9, 0x416, 0x6F22, 0x1F600};
  static constexpr char32_t kSpaces[] = {' ', ' ', ' ', '\t', '\n', 0xA0, 0x3000, 0x2009, 0x1C};
  std::string text;
  for (std::size_t n = random.below(40); n-- > 0;)
    text += random.below(3) > 0 ? utf8(kLetters[random.below(7)]) : utf8(kSpaces[random.below(9)]);
  return text;
}

std::vector<std::string> random_texts(stats::Random& random, std::size_t n) {
  std::vector<std::string> texts(n);
  for (std::string& text : texts) text = random_text(random);
  return texts;
}

std::string texts_json(std::span<const std::string> texts) {
  std::string json;
  for (const std::string& text : texts) {
    json += json.empty() ? "\"" : ",\"";
    for (const char32_t c : code_points(text))
      json += c < 0x20 ? fmt::format("\\u{:04x}", static_cast<unsigned>(c)) : utf8(c);
    json += '"';
  }
  return "[" + json + "]";
}

struct TextCase {
  std::vector<std::string> references, hypotheses;
};

TextCase random_text_case(std::uint64_t seed) {
  stats::Random random(seed);
  const std::size_t n = 1 + random.below(4);
  TextCase c{random_texts(random, n), random_texts(random, n)};
  for (std::size_t i = 0; i < n; ++i)
    if (random.below(2) == 0) c.hypotheses[i] = c.references[i] + random_text(random);
  return c;
}

TEST(ErrorRateSlow, EqualsJiwer) {
  constexpr std::uint64_t kCases = 1000;
  std::string cases;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const TextCase c = random_text_case(seed);
    cases += fmt::format("{{\"references\":{},\"hypotheses\":{}}}\n", texts_json(c.references),
                         texts_json(c.hypotheses));
  }
  const auto answer = testing::run_oracle("error_rate_oracle.py", cases);
  if (!answer) GTEST_SKIP() << testing::kNoOracles;
  std::istringstream lines(*answer);
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    const TextCase c = random_text_case(seed);
    for (const ErrorUnit unit : {ErrorUnit::kWord, ErrorUnit::kCharacter}) {
      double expected = 0;
      ASSERT_TRUE(lines >> expected) << "case " << seed;
      const double value = ErrorRate::make(unit, c.references, c.hypotheses)->value();
      ASSERT_NEAR(value, expected, 1e-9) << "case " << seed;
      largest = std::max(largest, std::abs(value - expected));
    }
  }
  RecordProperty("largest_difference", fmt::format("{}", largest));
}

TEST(CharactersSlow, AreClassifiedAsInPython) {
  const auto answer = testing::run_oracle("error_rate_oracle.py", "{\"codes\":[0,1114112]}\n");
  if (!answer) GTEST_SKIP() << testing::kNoOracles;
  std::istringstream lines(*answer);
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::uint64_t value = 0xCBF29CE484222325U, expected = 0;
    const auto add = [&](std::uint64_t n) { value = (value ^ n) * 0x100000001B3U; };
    add(is_space(c) ? 1 : 0);
    add(is_word(c) ? 1 : 0);
    for (const char32_t l : lower_case(std::u32string(1, c))) add(l);
    ASSERT_TRUE(lines >> expected);
    ASSERT_EQ(value, expected) << "code point " << static_cast<unsigned>(c);
    EXPECT_EQ(code_points(utf8(c)), std::u32string(1, c));
  }
}

TEST(ErrorRate, SumsOverTextsAndHasAnInterval) {
  const std::vector<std::string> references = {"the cat sat", "on the mat", "a", "b"};
  const std::vector<std::string> hypotheses = {"the cat sat", "in the hat", "a", "c"};
  const ErrorRate rate = ErrorRate::make(ErrorUnit::kWord, references, hypotheses).value();
  EXPECT_EQ(rate.value(), 3.0 / 8);
  EXPECT_EQ(rate.value(std::vector<std::uint32_t>{1, 0, 0, 2}), 2.0 / 5);
  const Figure figure = rate.figure();
  EXPECT_EQ(figure.samples, 4);
  EXPECT_TRUE(figure.interval->contains(figure.value));
  EXPECT_LT(figure.interval->lo, 0.2);
}

TEST(ErrorRate, TakesEachInvalidPartForOneCharacter) {
  const std::vector<std::string> truth = {"ab"}, broken = {"a\xFF\xC3"};
  EXPECT_EQ(ErrorRate::make(ErrorUnit::kCharacter, truth, broken)->value(), 1);
}

TEST(ErrorRate, WithoutTrueWordsIsTheNumberOfEdits) {
  const std::vector<std::string> nothing = {"  "}, words = {"two words"};
  EXPECT_EQ(ErrorRate::make(ErrorUnit::kWord, nothing, words)->value(), 2);
  EXPECT_TRUE(std::isnan(ErrorRate::make(ErrorUnit::kWord, {}, {})->value()));
}

TEST(ErrorRate, RefusesWhatDoesNotBelongTogether) {
  const std::vector<std::string> one = {"a"};
  EXPECT_EQ(ErrorRate::make(ErrorUnit::kWord, one, {}).error().message(),
            "word error rate: 1 references, but 0 hypotheses");
  const std::vector<std::string> long_text = {std::string(600000, 'a')};
  EXPECT_EQ(ErrorRate::make(ErrorUnit::kCharacter, long_text, long_text).error().text(),
            "error: character error rate: text 0 has 600000 symbols, and its reference 600000\n"
            "  hint: split long recordings into sentences\n"
            "  [RIDGE-ACCU-0004]\n");
}

}  // namespace
}  // namespace ridge::accuracy
