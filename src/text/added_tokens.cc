// SPDX-License-Identifier: Apache-2.0
#include "text/added_tokens.h"

#include <algorithm>
#include <utility>

#include "text/unicode.h"

namespace ridge::text {
namespace {

/// White space at the end of a text, in characters.
std::size_t space_before(std::u32string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_white_space(text[text.size() - 1 - count])) ++count;
  return count;
}

std::size_t space_after(std::u32string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_white_space(text[count])) ++count;
  return count;
}

bool stands_alone(std::u32string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !is_word(text[begin - 1])) && (end == text.size() || !is_word(text[end]));
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  steps_.emplace_back();
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    std::size_t at = 0;
    for (const char32_t c : tokens_[i].content) {
      const auto [next, fresh] = steps_[at].next.try_emplace(c, steps_.size());
      at = next->second;
      if (fresh) steps_.emplace_back();
    }
    if (at != 0 && !steps_[at].token) steps_[at].token = i;
  }
}

const AddedToken* AddedTokens::longest(std::u32string_view text) const {
  const AddedToken* found = nullptr;
  std::size_t at = 0;
  for (const char32_t c : text) {
    const auto next = steps_[at].next.find(c);
    if (next == steps_[at].next.end()) break;
    at = next->second;
    if (steps_[at].token) found = &tokens_[*steps_[at].token];
  }
  return found;
}

std::vector<TextPart> AddedTokens::split(std::u32string_view text) const {
  std::vector<TextPart> out;
  if (tokens_.empty()) {
    if (!text.empty()) out.push_back({text, std::nullopt});
    return out;
  }
  std::size_t done = 0;  // end of what is in `out`
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest(text.substr(at));
    if (token == nullptr) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + token->content.size();
    at = end;
    if (token->single_word && !stands_alone(text, begin, end)) continue;
    if (token->strip_left) begin = std::max(begin - space_before(text.substr(0, begin)), done);
    if (token->strip_right) end += space_after(text.substr(end));
    if (done < begin) out.push_back({text.substr(done, begin - done), std::nullopt});
    out.push_back({text.substr(begin, end - begin), token->id});
    done = end;
  }
  if (done < text.size()) out.push_back({text.substr(done), std::nullopt});
  return out;
}

}  // namespace ridge::text
