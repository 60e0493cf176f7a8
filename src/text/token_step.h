// SPDX-License-Identifier: Apache-2.0
// The step from a text to the tokens of a model, as plain data.
//
// `tokenizer` is what was read from `file`; whoever runs the step reads it first
// (tokenizer_file.h).
#pragma once

#include <memory>
#include <string>

namespace ridge::text {

class Tokenizer;

/// Most tokens of a sample.
inline constexpr int kMostTokens = 1 << 20;

struct Tokens {
  std::string file;  ///< tokenizer.json
  int length = 0;    ///< tokens of a sample, with padding
  std::string pad;   ///< token of the padding; "": that of the file
  // Inputs of the model; those that it lacks are not fed.
  std::string ids = "input_ids", mask = "attention_mask", types = "token_type_ids";
  std::shared_ptr<const Tokenizer> tokenizer = nullptr;

  /// Equality of what is stated.
  bool operator==(const Tokens& other) const {
    return file == other.file && length == other.length && pad == other.pad && ids == other.ids &&
           mask == other.mask && types == other.types;
  }
};

}  // namespace ridge::text
