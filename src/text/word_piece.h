// SPDX-License-Identifier: Apache-2.0
// Words cut into the longest pieces that a vocabulary has (Schuster and Nakajima 2012; the form of
// BERT): "unaffable" -> un ##aff ##able.
//
//   const WordPiece pieces{.vocabulary = ..., .unknown = 100};
//   pieces.append(word, ids);
//
// A word of which some part is no piece, or that has more than `longest_word` characters, is the
// unknown token. Cost: a few lookups for each piece. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.h"

namespace ridge::text {

/// Most characters that a file may allow a word.
inline constexpr int kLongestWord = 1000;

struct WordPiece {
  Vocabulary vocabulary;
  std::string prefix = "##";  ///< before pieces that do not begin a word
  int longest_word = 100;
  TokenId unknown = 0;

  /// `word`: UTF-8.
  void append(std::string_view word, std::vector<TokenId>& out) const;
};

}  // namespace ridge::text
