// SPDX-License-Identifier: Apache-2.0
#include "text/unicode.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/character.h"

namespace ridge::text {
namespace {

constexpr char32_t kDottedCapitalI = 0x130, kDotAbove = 0x307;
/// Characters that one may become; the longest of Unicode's decompositions have four.
constexpr std::size_t kMostParts = 16;

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

int combining_class(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

bool is_between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

/// Circled and squared letters, which are Alphabetic although their category is So.
bool is_enclosed_letter(char32_t c) {
  return is_between(c, 0x24B6, 0x24E9) || is_between(c, 0x1F130, 0x1F149) ||
         is_between(c, 0x1F150, 0x1F169) || is_between(c, 0x1F170, 0x1F189);
}

/// Sorts each run of marks by their classes (Unicode 15, D109).
void put_marks_in_order(std::u32string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && combining_class(text[end]) > 0) ++end;
    std::stable_sort(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(end), [](char32_t a, char32_t b) {
                       return combining_class(a) < combining_class(b);
                     });
    begin = end + 1;
  }
}

}  // namespace

Result<std::u32string> characters(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character c = first_character(text.substr(at));
    if (!c.valid)
      return input_error("RIDGE-TEXT-0004", "the text is not UTF-8")
          .evidence(fmt::format("at byte {}: 0x{:02x}", at, static_cast<unsigned char>(text[at])))
          .hint("convert it: iconv -f latin1 -t utf-8");
    out += c.code;
    at += c.length;
  }
  return out;
}

void append_utf8(char32_t c, std::string& out) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
}

bool is_white_space(char32_t c) {
  if (is_between(c, 9, 13) || c == 0x85) return true;
  const utf8proc_category_t of = category(c);
  return of == UTF8PROC_CATEGORY_ZS || of == UTF8PROC_CATEGORY_ZL || of == UTF8PROC_CATEGORY_ZP;
}

bool is_letter(char32_t c) {
  const utf8proc_category_t of = category(c);
  return of >= UTF8PROC_CATEGORY_LU && of <= UTF8PROC_CATEGORY_LO;
}

bool is_number(char32_t c) {
  const utf8proc_category_t of = category(c);
  return of >= UTF8PROC_CATEGORY_ND && of <= UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t c) {
  const utf8proc_category_t of = category(c);
  return of >= UTF8PROC_CATEGORY_PC && of <= UTF8PROC_CATEGORY_PO;
}

bool is_control(char32_t c) {
  const utf8proc_category_t of = category(c);
  return of == UTF8PROC_CATEGORY_CC || of == UTF8PROC_CATEGORY_CF || of == UTF8PROC_CATEGORY_CO;
}

bool is_nonspacing_mark(char32_t c) { return category(c) == UTF8PROC_CATEGORY_MN; }

bool is_word(char32_t c) {
  constexpr char32_t kNonJoiner = 0x200C, kJoiner = 0x200D;
  const utf8proc_category_t of = category(c);
  const bool mark = of >= UTF8PROC_CATEGORY_MN && of <= UTF8PROC_CATEGORY_ME;
  const bool number = of == UTF8PROC_CATEGORY_ND || of == UTF8PROC_CATEGORY_NL;
  return is_letter(c) || mark || number || of == UTF8PROC_CATEGORY_PC || c == kNonJoiner ||
         c == kJoiner || is_enclosed_letter(c);
}

std::u32string decomposed(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    std::array<utf8proc_int32_t, kMostParts> parts{};
    int boundary = 0;
    const utf8proc_ssize_t count = utf8proc_decompose_char(
        static_cast<utf8proc_int32_t>(c), parts.data(), kMostParts, UTF8PROC_DECOMPOSE, &boundary);
    if (count < 1 || count > std::ssize(parts)) {
      out += c;
      continue;
    }
    for (std::ptrdiff_t i = 0; i < count; ++i)
      out += static_cast<char32_t>(parts[static_cast<std::size_t>(i)]);
  }
  put_marks_in_order(out);
  return out;
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (c == kDottedCapitalI) {
      out += U'i';
      out += kDotAbove;
    } else {
      out += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
    }
  }
  return out;
}

}  // namespace ridge::text
