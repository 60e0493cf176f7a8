// SPDX-License-Identifier: Apache-2.0
// Text as Unicode code points, and the classes of characters that scores of text depend on. Defined
// as in Python, in which the published programs for these scores are written; independent of the
// locale. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>

namespace ridge::accuracy {

/// Code points of UTF-8 text; each maximal invalid part is one U+FFFD.
std::u32string code_points(std::string_view text);

/// White space, as str.isspace() and \s have it.
bool is_space(char32_t c);

/// A letter, a digit or '_', as \w has it.
bool is_word(char32_t c);

/// Lower case, as str.lower() has it but for a capital sigma at the end of a word, which becomes
/// the same letter as elsewhere.
std::u32string lower_case(std::u32string_view text);

/// The text without white space at both ends.
std::u32string_view stripped(std::u32string_view text);

}  // namespace ridge::accuracy
