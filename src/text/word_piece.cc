// SPDX-License-Identifier: Apache-2.0
#include "text/word_piece.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::text {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

void WordPiece::append(std::string_view word, std::vector<TokenId>& out) const {
  const std::size_t before = out.size();
  if (std::ranges::count_if(word, begins_character) > longest_word) {
    out.push_back(unknown);
    return;
  }
  for (std::size_t begin = 0; begin < word.size();) {
    const std::string_view rest = word.substr(begin);
    const std::size_t of_prefix = begin == 0 ? 0 : prefix.size();
    const Token* piece = begin == 0 ? vocabulary.longest_prefix(rest)
                                    : vocabulary.longest_prefix(fmt::format("{}{}", prefix, rest));
    if (piece == nullptr || piece->text.size() <= of_prefix) {
      out.resize(before);
      out.push_back(unknown);
      return;
    }
    out.push_back(piece->id);
    begin += piece->text.size() - of_prefix;
  }
}

}  // namespace ridge::text
