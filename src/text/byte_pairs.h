// SPDX-License-Identifier: Apache-2.0
// Pieces of bytes merged into tokens, pair by pair, in the order in which a vocabulary learned them
// (byte-pair encoding; Sennrich et al. 2016, over bytes as in GPT-2).
//
//   const BytePairs pairs = TRY(BytePairs::make({.vocabulary = ..., .merges = {{"l", "o"}}}));
//   pairs.append(" low", ids);
//
// Of all neighbors the pair of the lowest rank is merged, of equal ones the first. A byte that the
// vocabulary lacks is the unknown token, or left out where there is none. Errors (input class):
// RIDGE-TEXT-0001, a merge of texts that are no tokens. Cost of a piece of n bytes: n log n. Thread
// rule: pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "text/vocabulary.h"

namespace ridge::text {

class BytePairs {
 public:
  struct Parts {
    Vocabulary vocabulary;
    std::vector<std::pair<std::string, std::string>> merges;  ///< by rank
    std::optional<TokenId> unknown;
    bool fuse_unknown = false;  ///< unknown bytes in a row are one token
    bool whole_pieces = false;  ///< a piece that is a token needs no merges
  };
  static Result<BytePairs> make(Parts parts);

  void append(std::string_view piece, std::vector<TokenId>& out) const;
  std::optional<TokenId> find(std::string_view token) const { return vocabulary_.find(token); }

 private:
  struct Merge {
    TokenId left = 0, right = 0;
    std::int32_t rank = 0;
    TokenId merged = 0;
  };
  class Merging;

  const Merge* merge_of(TokenId left, TokenId right) const;
  std::vector<TokenId> tokens_of_bytes(std::string_view piece) const;

  Vocabulary vocabulary_;
  std::vector<Merge> merges_;  // by left and right
  std::array<std::optional<TokenId>, 256> bytes_;
  std::optional<TokenId> unknown_;
  bool fuse_unknown_ = false, whole_pieces_ = false;
};

}  // namespace ridge::text
