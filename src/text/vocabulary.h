// SPDX-License-Identifier: Apache-2.0
// Tokens of a model by their text.
//
//   const Vocabulary vocabulary({{"un", 7}, {"##able", 8}});
//   vocabulary.find("##able")      // 8
//
// Cost: a lookup compares texts log2(size) times, whatever the texts are. Thread rule: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::text {

using TokenId = std::int32_t;

struct Token {
  std::string text;
  TokenId id = 0;
};

class Vocabulary {
 public:
  Vocabulary() = default;
  /// Duplicates: the first counts.
  explicit Vocabulary(std::vector<Token> tokens);

  std::optional<TokenId> find(std::string_view text) const;
  std::size_t size() const { return tokens_.size(); }
  /// The longest token that `text` begins with; nullptr for none.
  const Token* longest_prefix(std::string_view text) const;

 private:
  std::vector<Token> tokens_;  // by text
};

}  // namespace ridge::text
