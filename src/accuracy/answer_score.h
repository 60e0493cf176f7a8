// SPDX-License-Identifier: Apache-2.0
// Exact match and token F1 of answers to questions, as SQuAD v1.1 scores them.
//
//   const AnswerScores scores = TRY(score_answers(predictions, accepted));
//   scores.exact.value; scores.f1.value;                // 0 to 1 (the program prints per cent)
//
// An answer is normalized: lower case; ASCII punctuation removed; the words a, an and the replaced
// by a space; then words separated by white space (evaluate-v1.1.py of Rajpurkar et al. 2016,
// EMNLP, with Python's classes of characters, see characters.h). Exact match: the
// normalized answers are equal. F1: harmonic mean of the share of the predicted words that are in
// the accepted answer and the share of the accepted words that are in the prediction, counted as
// multisets; 0 if they share no word, which two empty answers do not. Of several accepted answers
// the best counts.
//
// Thread rule: pure. Cost: linear in the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/figure.h"
#include "base/result.h"

namespace ridge::accuracy {

/// Words of an answer after normalization.
std::vector<std::u32string> answer_words(std::string_view answer);

struct AnswerScores {
  Figure exact;                       ///< with Wilson's interval
  Figure f1;                          ///< with the bootstrap over questions
  std::vector<std::uint8_t> matched;  ///< 1 for each question with an exact match
  std::vector<double> f1_values;      ///< one value per question
};

/// Input errors: another number of predictions than questions, a question without accepted answer.
Result<AnswerScores> score_answers(std::span<const std::string> predictions,
                                   std::span<const std::vector<std::string>> accepted,
                                   const stats::BootstrapOptions& options = {});

}  // namespace ridge::accuracy
