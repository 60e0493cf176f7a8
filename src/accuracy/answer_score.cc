// SPDX-License-Identifier: Apache-2.0
#include "accuracy/answer_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "accuracy/characters.h"
#include "accuracy/fault.h"

namespace ridge::accuracy {
namespace {

constexpr const char* kAnswerScore = "score of answers";

using AnswerWords = std::vector<std::u32string>;

bool is_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool is_article(std::u32string_view word) {
  return word == U"a" || word == U"an" || word == U"the";
}

/// The text with each article, a maximal run of word characters, replaced by a space.
std::u32string without_articles(std::u32string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::u32string_view run = text.substr(i, end - i);
    if (is_article(run))
      out += U' ';
    else
      out += run;
    i = end;
  }
  return out;
}

double f1_of(const AnswerWords& predicted, const AnswerWords& accepted) {
  std::map<std::u32string_view, std::int64_t> left;
  for (const auto& word : accepted) ++left[word];
  std::int64_t shared = 0;
  for (const auto& word : predicted)
    if (const auto at = left.find(word); at != left.end() && at->second > 0) {
      --at->second;
      ++shared;
    }
  if (shared == 0) return 0;
  const double precision = static_cast<double>(shared) / static_cast<double>(predicted.size());
  const double recall = static_cast<double>(shared) / static_cast<double>(accepted.size());
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

std::vector<std::u32string> answer_words(std::string_view answer) {
  std::u32string text = lower_case(code_points(answer));
  std::erase_if(text, is_punctuation);
  text = without_articles(text);
  AnswerWords words;
  std::u32string word;
  for (const char32_t c : text) {
    if (!is_space(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Result<AnswerScores> score_answers(std::span<const std::string> predictions,
                                   std::span<const std::vector<std::string>> accepted,
                                   const stats::BootstrapOptions& options) {
  if (predictions.size() != accepted.size())
    return sizes_differ(kAnswerScore, predictions.size(), "predictions", accepted.size(),
                        "questions");
  AnswerScores scores;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (accepted[i].empty())
      return bad_parameter(kAnswerScore, fmt::format("question {} has no accepted answer", i),
                           "questions without an answer are not part of SQuAD v1.1");
    const AnswerWords predicted = answer_words(predictions[i]);
    bool matched = false;
    double f1 = 0;
    for (const std::string& answer : accepted[i]) {
      const AnswerWords words = answer_words(answer);
      matched = matched || words == predicted;
      f1 = std::max(f1, f1_of(predicted, words));
    }
    scores.matched.push_back(matched ? 1 : 0);
    scores.f1_values.push_back(f1);
  }
  scores.exact =
      proportion(std::accumulate(scores.matched.begin(), scores.matched.end(), std::int64_t{0}),
                 static_cast<std::int64_t>(predictions.size()), options.confidence);
  scores.f1 = mean_figure(scores.f1_values, options);
  return scores;
}

}  // namespace ridge::accuracy
