// SPDX-License-Identifier: Apache-2.0
// Texts made into the tokens of a model, as Hugging Face's tokenizers does it (the tests compare
// with its release 0.23): added tokens, normalizer, words, model, special tokens around the text;
// cut and padded on the right to a length.
//
//   const Tokenizer tokenizer = TRY(read_tokenizer(json));            // tokenizer_file.h
//   const Encoding e = TRY(tokenizer.encode("caf\u00e9", {.length = 8, .pad = 0}));
//   e.ids, e.mask, e.types                                            // 8 integers each
//
// Errors (input class): RIDGE-TEXT-0004 (unicode.h), RIDGE-TEXT-0005 for a padding that is no
// token, RIDGE-TEXT-0006 for a length without room for a token of the text. Cost: n log n in the
// bytes of a text. Thread rule: const after its making, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "text/added_tokens.h"
#include "text/bert_text.h"
#include "text/byte_level.h"
#include "text/byte_pairs.h"
#include "text/token_step.h"
#include "text/word_piece.h"

namespace ridge::text {

/// Integers for a model: ids of the tokens, 1 for those that are no padding, and their segments.
struct Encoding {
  std::vector<std::int64_t> ids, mask, types;
};

/// A special token, or the text itself.
struct FramePart {
  std::optional<TokenId> token;  ///< nullopt: the text
  std::int64_t type = 0;         ///< segment of the token, or of all tokens of the text
};

struct Padding {
  TokenId id = 0;
  std::int64_t type = 0;
};

/// BERT: words of a normalized text, cut into pieces.
struct WordModel {
  WordPiece pieces;
};
/// GPT-2 and RoBERTa: bytes, merged.
struct ByteModel {
  ByteLevel level;
  BytePairs pairs;
};

class Tokenizer {
 public:
  struct Parts {
    std::vector<AddedToken> added;             ///< looked for in the text as it is
    std::vector<AddedToken> added_normalized;  ///< looked for in the normalized text
    std::optional<BertNormalizer> normalizer;
    std::variant<WordModel, ByteModel> model;
    std::vector<FramePart> frame = {FramePart{}};
    std::optional<Padding> padding;
  };
  explicit Tokenizer(Parts parts);

  struct Shape {
    int length = 0;
    Padding padding;
  };
  /// The shape of a step: its length, and the token of its padding or else that of the file.
  Result<Shape> shape_of(const Tokens& step) const;
  Result<Encoding> encode(std::string_view text, const Shape& shape) const;

 private:
  std::optional<TokenId> find(std::string_view token) const;
  void append(std::u32string_view text, std::vector<TokenId>& out) const;
  std::u32string normalized(std::u32string_view text) const;
  std::vector<TokenId> tokens_of(std::u32string_view text) const;

  Parts parts_;
  AddedTokens added_, added_normalized_;
  std::size_t framing_ = 0;  // special tokens around a text
};

}  // namespace ridge::text
