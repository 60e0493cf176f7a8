// SPDX-License-Identifier: Apache-2.0
#include "text/vocabulary.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridge::text {
namespace {

std::string_view common_prefix(std::string_view a, std::string_view b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return a.substr(0, static_cast<std::size_t>(ends.first - a.begin()));
}

}  // namespace

Vocabulary::Vocabulary(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
  std::ranges::stable_sort(tokens_, {}, &Token::text);
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
  const auto at = std::ranges::lower_bound(
      tokens_, text, {}, [](const Token& t) -> std::string_view { return t.text; });
  if (at == tokens_.end() || at->text != text) return std::nullopt;
  return at->id;
}

const Token* Vocabulary::longest_prefix(std::string_view text) const {
  // A token that begins `text` begins every text between itself and `text` as well, and so the last
  // token that is not after `text`. Example: for "unite" with the tokens "un" and "unable" that is
  // "unable"; what both have in common is "un", which is a token.
  while (!text.empty()) {
    auto after = std::ranges::upper_bound(
        tokens_, text, {}, [](const Token& t) -> std::string_view { return t.text; });
    if (after == tokens_.begin()) return nullptr;
    const Token& last = *std::prev(after);
    if (text.starts_with(last.text)) return &last;
    text = common_prefix(text, last.text);
  }
  return nullptr;
}

}  // namespace ridge::text
