// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8.
//
//   while (!text.empty()) {
//     const Character c = first_character(text);
//     use(c.code, text.substr(0, c.length));
//     text.remove_prefix(c.length);
//   }
//
// Thread rule: pure function.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge {

/// First character of a text: its length in bytes, or `valid` false for an invalid sequence.
struct Character {
  char32_t code = 0;
  std::size_t length = 1;
  bool valid = false;
};

/// Decodes strict UTF-8 (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above
/// U+10FFFF. If invalid, the length covers the longest prefix of a valid sequence, at least one
/// byte (the maximal subpart of section 3.9, which one U+FFFD replaces). `text` must not be empty.
inline Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t code = lead & (0xFFU >> (length + 1));
  // Some lead bytes restrict the second byte, to exclude overlong forms, surrogates and codes that
  // are too large.
  unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {0, i, false};
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < low || byte > high) return {0, i, false};
    code = (code << 6) | (byte & 0x3FU);
    low = 0x80;
    high = 0xBF;
  }
  return {code, length, true};
}

}  // namespace ridge
