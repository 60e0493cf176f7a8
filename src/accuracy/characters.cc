// SPDX-License-Identifier: Apache-2.0
#include "accuracy/characters.h"

#include <algorithm>

#include "accuracy/character_tables.h"
#include "base/character.h"

namespace ridge::accuracy {
namespace {

/// The range or run that holds `c`; nullptr if none does.
template <typename T>
const T* holding(std::span<const T> ranges, char32_t c) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                      [](char32_t code, const T& r) { return code < r.first; });
  if (after == ranges.begin()) return nullptr;
  const T& range = *(after - 1);
  return c <= range.last ? &range : nullptr;
}

char32_t lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  const LowerRun* run = holding(lower_runs(), c);
  if (run == nullptr || (c - run->first) % run->step != 0) return c;
  return static_cast<char32_t>(static_cast<std::int32_t>(c) + run->distance);
}

}  // namespace

std::u32string code_points(std::string_view text) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::u32string codes;
  codes.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    codes.push_back(c.valid ? c.code : kReplacement);
    text.remove_prefix(c.length);
  }
  return codes;
}

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool is_word(char32_t c) {
  if (c >= 0x80) return holding(word_ranges(), c) != nullptr;
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (c == 0x130)  // capital I with a dot above: the only letter that becomes two
      out += U"i\u0307";
    else
      out += lower(c);
  }
  return out;
}

std::u32string_view stripped(std::u32string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace ridge::accuracy
