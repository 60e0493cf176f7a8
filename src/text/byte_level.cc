// SPDX-License-Identifier: Apache-2.0
#include "text/byte_level.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/unicode.h"

namespace ridge::text {
namespace {

constexpr std::array<std::u32string_view, 7> kEndings = {U"'s", U"'t",  U"'re", U"'ve",
                                                         U"'m", U"'ll", U"'d"};

enum class Kind { kSpace, kLetter, kNumber, kOther };

Kind kind_of(char32_t c) {
  if (is_white_space(c)) return Kind::kSpace;
  if (is_letter(c)) return Kind::kLetter;
  return is_number(c) ? Kind::kNumber : Kind::kOther;
}

/// Characters of `kind` that `text` begins with.
std::size_t run_of(Kind kind, std::u32string_view text) {
  const auto end = std::ranges::find_if(text, [&](char32_t c) { return kind_of(c) != kind; });
  return static_cast<std::size_t>(end - text.begin());
}

/// Length of the match at the beginning of a text that is not empty.
std::size_t match(std::u32string_view text) {
  for (const std::u32string_view ending : kEndings)
    if (text.starts_with(ending)) return ending.size();
  const std::size_t blank = text[0] == U' ' && text.size() > 1 ? 1 : 0;
  const Kind kind = kind_of(text[blank]);
  if (kind != Kind::kSpace) return blank + run_of(kind, text.substr(blank));
  const std::size_t run = run_of(Kind::kSpace, text);
  // The last white space before something else goes with that, or stands alone.
  return run == text.size() || run == 1 ? run : run - 1;
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(c, out);
  return out;
}

bool shows_itself(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

std::array<char32_t, 256> make_characters() {
  std::array<char32_t, 256> out{};
  char32_t next = 256;
  for (unsigned byte = 0; byte < out.size(); ++byte) out[byte] = shows_itself(byte) ? byte : next++;
  return out;
}

}  // namespace

std::vector<std::string> byte_level_pieces(std::u32string_view text, const ByteLevel& how) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  std::u32string with_blank;
  if (how.prefix_space && text[0] != U' ') {
    with_blank = U' ';
    with_blank += text;
    text = with_blank;
  }
  if (!how.split) return {utf8(text)};
  while (!text.empty()) {
    const std::size_t length = match(text);
    out.push_back(utf8(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return out;
}

char32_t byte_character(unsigned char byte) {
  static const std::array<char32_t, 256> characters = make_characters();
  return characters[byte];
}

}  // namespace ridge::text
