// SPDX-License-Identifier: Apache-2.0
// Texts as BERT sees them: cleaned, with spaces around Chinese characters, without accents, in
// lower case (BertNormalizer), then words and single marks of punctuation (BertPreTokenizer).
//
//   const std::u32string normalized = bert_normalized(text, {.lower = true});
//   for (const std::string& word : bert_words(normalized)) ...
//
// As Hugging Face's tokenizers 0.23, which the tests compare with, one error in a range of Chinese
// characters included. Pure functions, linear.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::text {

struct BertNormalizer {
  bool clean = true;    ///< takes out controls, makes each white space a blank
  bool chinese = true;  ///< puts blanks around Chinese characters
  bool lower = true;
  std::optional<bool> strip_accents;  ///< nullopt: with lower case
};

std::u32string bert_normalized(std::u32string text, const BertNormalizer& how);

/// Words of a text, in UTF-8.
std::vector<std::string> bert_words(std::u32string_view text);

}  // namespace ridge::text
