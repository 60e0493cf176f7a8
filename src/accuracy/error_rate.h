// SPDX-License-Identifier: Apache-2.0
// Word and character error rate: edits that turn what was recognized into what is true, over the
// number of true words or characters.
//
//   const ErrorRate cer = TRY(ErrorRate::make(ErrorUnit::kCharacter, references, hypotheses));
//   const Figure figure = cer.figure();       // bootstrap over texts; may exceed 1
//
// Texts are UTF-8; characters are Unicode code points, white space within the text included. As
// jiwer 4.0 prepares texts by default: white space at both ends is removed; for words, two or more
// white-space characters in a row are one space, and words are separated by spaces (a single tab or
// line break does not separate). No change of case, no removal of punctuation. Edits and lengths
// are summed over all texts before dividing, so long texts weigh more. Without any true word the
// rate is the number of edits, as jiwer has it.
//
// Thread rule: const after construction. Cost: edit_distance() per text, at most 2^38 pairs of
// symbols in one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

enum class ErrorUnit : std::uint8_t { kWord, kCharacter };

class ErrorRate {
 public:
  /// Input errors: as many hypotheses as references are needed; a pair of texts that is too long.
  static Result<ErrorRate> make(ErrorUnit unit, std::span<const std::string> references,
                                std::span<const std::string> hypotheses);

  struct OfText {
    std::uint64_t edits = 0, length = 0;
  };
  std::span<const OfText> texts() const { return texts_; }
  /// Rate of texts that occur as often as the weights say; NaN without a text.
  double value(Weights weights = {}) const;
  Figure figure(const stats::BootstrapOptions& options = {}) const;

 private:
  std::vector<OfText> texts_;
};

}  // namespace ridge::accuracy
