// SPDX-License-Identifier: Apache-2.0
// Oracle: the published rules in Python (answer_score_oracle.py).
#include "accuracy/answer_score.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "accuracy/testing.h"
#include "stats/random.h"

namespace ridge::accuracy {
namespace {

/// Pieces that meet the rules: articles beside letters, punctuation and characters that are
/// neither; capitals beyond ASCII; white space. None needs an escape in JSON.
std::string random_answer(stats::Random& random) {
  static constexpr const char* kPieces[] = {"the",
                                            "The",
                                            "a",
                                            "an",
                                            "An",
                                            "THE",
                                            "theory",
                                            "cat",
                                            "Cat",
                                            "1066",
                                            "\xC3\x89t\xC3\xA9",
                                            "\xC3\xA9",
                                            "'",
                                            ".",
                                            ",",
                                            "-",
                                            "_",
                                            "!",
                                            "(",
                                            "\xE2\x80\x99",
                                            "\xE2\x80\x93",
                                            "\xC4\xB0",
                                            " ",
                                            " ",
                                            " ",
                                            " ",
                                            " ",
                                            " ",
                                            "\xC2\xA0",
                                            "\xE3\x80\x80",
                                            "\xD0\x96",
                                            "\xE6\xBC\xA2"};
  std::string text;
  for (std::size_t n = random.below(12); n-- > 0;)
    text += kPieces[random.below(std::size(kPieces))];
  return text;
}

struct Question {
  std::string prediction;
  std::vector<std::string> accepted;
};

Question random_question(std::uint64_t seed) {
  stats::Random random(seed);
  Question q{random_answer(random), {}};
  for (std::size_t n = 1 + random.below(3); n-- > 0;)
    q.accepted.push_back(random.below(3) == 0 ? "The " + q.prediction + "."
                                              : random_answer(random));
  return q;
}

TEST(AnswerScoreSlow, IsThatOfThePublishedRules) {
  constexpr std::uint64_t kQuestions = 3000;
  std::string cases;
  std::vector<std::string> predictions;
  std::vector<std::vector<std::string>> accepted;
  for (std::uint64_t seed = 1; seed <= kQuestions; ++seed) {
    const Question q = random_question(seed);
    cases += fmt::format("{{\"prediction\":\"{}\",\"accepted\":[\"{}\"]}}\n", q.prediction,
                         fmt::join(q.accepted, "\",\""));
    predictions.push_back(q.prediction);
    accepted.push_back(q.accepted);
  }
  const auto answer = testing::run_oracle("answer_score_oracle.py", cases);
  if (!answer) GTEST_SKIP() << testing::kNoOracles;
  const AnswerScores scores = score_answers(predictions, accepted, {.resamples = 10}).value();
  std::istringstream lines(*answer);
  int matched = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    int exact = 0;
    double f1 = 0;
    ASSERT_TRUE(lines >> exact >> f1);
    matched += exact;
    EXPECT_EQ(scores.matched[i], exact) << predictions[i] << " | " << accepted[i][0];
    EXPECT_NEAR(scores.f1_values[i], f1, 1e-12) << predictions[i] << " | " << accepted[i][0];
  }
  EXPECT_GT(matched, 300);
  EXPECT_EQ(scores.exact.value, static_cast<double>(matched) / kQuestions);
}

TEST(AnswerScore, OfWorkedExamples) {
  const std::vector<std::string> predictions = {"The Eiffel Tower!", "Paris, in France", ""};
  const std::vector<std::vector<std::string>> accepted = {
      {"Louvre", "eiffel  tower"}, {"Paris"}, {"the"}};
  const AnswerScores scores = score_answers(predictions, accepted).value();
  // The empty answer equals an article, and shares no word with it.
  EXPECT_EQ(scores.matched, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(scores.f1_values, (std::vector<double>{1, 0.5, 0}));
  EXPECT_EQ(scores.exact.value, 2.0 / 3);
  EXPECT_EQ(scores.f1.value, 0.5);
  EXPECT_TRUE(scores.f1.interval);
}

TEST(AnswerScore, RefusesQuestionsWithoutAnswer) {
  const std::vector<std::string> predictions = {"x"};
  const std::vector<std::vector<std::string>> accepted = {{}};
  EXPECT_EQ(score_answers(predictions, accepted).error().text(),
            "error: score of answers: question 0 has no accepted answer\n"
            "  hint: questions without an answer are not part of SQuAD v1.1\n"
            "  [RIDGE-ACCU-0005]\n");
  EXPECT_EQ(score_answers(predictions, {}).error().code(), "RIDGE-ACCU-0001");
}

}  // namespace
}  // namespace ridge::accuracy
