// SPDX-License-Identifier: Apache-2.0
// Texts as GPT-2 sees them: pieces by a regular expression, then bytes, each shown by a character
// (ByteLevel).
//
//   byte_level_pieces("it's 12", {})         // " it", "'s", " 12"
//   byte_character(0x20)                     // U+0120, as vocabularies write a blank
//
// The expression (GPT-2's encoder.py; no letters in capitals among the endings):
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Pure functions, linear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::text {

struct ByteLevel {
  bool prefix_space = true;  ///< puts a blank before a text that does not begin with one
  bool split = true;         ///< by the expression; else the text is one piece
};

/// Pieces in UTF-8; none for an empty text.
std::vector<std::string> byte_level_pieces(std::u32string_view text, const ByteLevel& how);

/// Character that stands for a byte in vocabularies.
char32_t byte_character(unsigned char byte);

}  // namespace ridge::text
