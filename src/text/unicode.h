// SPDX-License-Identifier: Apache-2.0
// What tokenizers must know of Unicode's characters, from libutf8proc (Unicode 14).
//
//   for (const char32_t c : TRY(characters("na\u00efve"))) is_letter(c);
//   decomposed(U"\u00e9")      // e and U+0301
//
// A package that knows another version of Unicode treats the characters that came between in
// another way: oniguruma in Hugging Face's tokenizers 0.23 knows Unicode 16, its tables of
// punctuation and marks Unicode 8. Errors: RIDGE-TEXT-0004 (input class), bytes that are no UTF-8,
// with the offset of the first. Cost: linear; decomposed() sorts runs of marks. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::text {

Result<std::u32string> characters(std::string_view text);
void append_utf8(char32_t c, std::string& out);

/// Unicode's White_Space.
bool is_white_space(char32_t c);
/// Categories L*.
bool is_letter(char32_t c);
/// Categories N*.
bool is_number(char32_t c);
/// Categories P*.
bool is_punctuation(char32_t c);
/// Categories Cc, Cf and Co: controls, formats, private use.
bool is_control(char32_t c);
/// Category Mn.
bool is_nonspacing_mark(char32_t c);
/// The \w of regular expressions: letters, marks, digits, connectors, joiners.
bool is_word(char32_t c);

/// Canonical decomposition (NFD).
std::u32string decomposed(std::u32string_view text);
/// Each character in lower case by itself; U+0130 becomes two.
std::u32string lower_case(std::u32string_view text);

}  // namespace ridge::text
