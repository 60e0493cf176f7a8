// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json of Hugging Face's tokenizers, in the forms that BERT, GPT-2 and RoBERTa have:
//
//   model            WordPiece, with BertPreTokenizer; BPE, with ByteLevel
//   normalizer       none, BertNormalizer
//   post_processor   none, ByteLevel, TemplateProcessing, BertProcessing, RobertaProcessing, or a
//                    Sequence of which one puts tokens around the text
//   added_tokens     all
//   padding          on the right; truncation on the right. Lengths are those of the step
//
//   const Tokenizer tokenizer = TRY(read_tokenizer(text));
//
// The decoder is not needed. Whatever else the file states is an error, never passed over.
//
// Errors (input class), with the place in the file ("model.vocab"): RIDGE-TEXT-0001 no such file,
// or one that contradicts itself; RIDGE-TEXT-0002 something that is not supported, by its name;
// RIDGE-TEXT-0003 beyond the bounds. Cost: memory of about ten times the file. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "text/tokenizer.h"

namespace ridge::text {

/// Bytes of a file.
inline constexpr std::int64_t kMaxTokenizerBytes = std::int64_t{64} << 20;

Result<Tokenizer> read_tokenizer(std::string_view text);

}  // namespace ridge::text
