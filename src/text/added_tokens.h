// SPDX-License-Identifier: Apache-2.0
// Tokens that stand in a text as they are and are never cut: [MASK], <|endoftext|>.
//
//   const AddedTokens tokens({{.content = U"[MASK]", .id = 103}});
//   for (const TextPart& part : tokens.split(text)) part.token ? ... : ...
//
// At each place the longest counts, and the search goes on behind it. One of `single_word` counts
// only where no letter, mark, digit or underscore is beside it. Cost: at most kLongestAdded steps
// for each character. Thread rule: pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace ridge::text {

/// Bounds of what a file may add.
inline constexpr std::size_t kMostAdded = 100'000, kLongestAdded = 256;

struct AddedToken {
  std::u32string content;
  TokenId id = 0;
  bool single_word = false;
  bool strip_left = false, strip_right = false;  ///< takes the white space there along
};

/// A token, or text without one.
struct TextPart {
  std::u32string_view text;
  std::optional<TokenId> token;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  /// Views into `text`; texts without tokens are not empty.
  std::vector<TextPart> split(std::u32string_view text) const;

 private:
  /// The longest that `text` begins with; nullptr for none.
  const AddedToken* longest(std::u32string_view text) const;

  struct Step {
    std::map<char32_t, std::size_t> next;
    std::optional<std::size_t> token;  // that ends here
  };
  std::vector<AddedToken> tokens_;
  std::vector<Step> steps_;  // a tree of contents; the first is its root
};

}  // namespace ridge::text
