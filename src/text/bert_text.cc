// SPDX-License-Identifier: Apache-2.0
#include "text/bert_text.h"

#include <algorithm>

#include "text/unicode.h"

namespace ridge::text {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Range {
  char32_t first, last;
};
/// As tokenizers has them: 2B920 stands where BERT's own code has 2B820.
constexpr Range kChinese[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                              {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF},
                              {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};

bool is_chinese(char32_t c) {
  return std::ranges::any_of(kChinese, [&](Range r) { return c >= r.first && c <= r.last; });
}

bool is_line_or_tab(char32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

std::u32string cleaned(std::u32string_view text) {
  std::u32string out;
  for (const char32_t c : text) {
    if (c == kReplacement || (is_control(c) && !is_line_or_tab(c))) continue;
    out += is_white_space(c) ? U' ' : c;
  }
  return out;
}

std::u32string with_blanks(std::u32string_view text) {
  std::u32string out;
  for (const char32_t c : text) {
    if (!is_chinese(c)) {
      out += c;
      continue;
    }
    for (const char32_t part : {U' ', c, U' '}) out += part;
  }
  return out;
}

bool is_ascii_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

}  // namespace

std::u32string bert_normalized(std::u32string text, const BertNormalizer& how) {
  if (how.clean) text = cleaned(text);
  if (how.chinese) text = with_blanks(text);
  if (how.strip_accents.value_or(how.lower)) {
    text = decomposed(text);
    std::erase_if(text, is_nonspacing_mark);
  }
  return how.lower ? lower_case(text) : text;
}

std::vector<std::string> bert_words(std::u32string_view text) {
  std::vector<std::string> out;
  bool inside = false;  // a word
  for (const char32_t c : text) {
    const bool mark = is_ascii_punctuation(c) || is_punctuation(c);
    if (is_white_space(c)) {
      inside = false;
      continue;
    }
    if (mark || !inside) out.emplace_back();
    append_utf8(c, out.back());
    inside = !mark;
  }
  return out;
}

}  // namespace ridge::text
