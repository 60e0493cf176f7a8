// SPDX-License-Identifier: Apache-2.0
#include "compare/evaluation_comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "compare/evaluation_limit.h"

namespace ridge::compare {
namespace {

EvaluationRun evaluation_of(std::string label, std::vector<std::int64_t> predicted,
                            const std::vector<std::int64_t>& truth = {}) {
  EvaluationRun run;
  run.label = std::move(label);
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    run.samples.push_back(fmt::format("{}.png", i));
    if (!truth.empty()) run.correct.push_back(predicted[i] == truth[i] ? 1 : 0);
  }
  run.predicted = std::move(predicted);
  return run;
}

std::string comparison_error(std::vector<EvaluationRun> runs) {
  const auto c = compare_evaluations(std::move(runs));
  return c.ok() ? "" : c.error().text();
}

TEST(EvaluationComparison, OtherDataAreSaidOrRefused) {
  EvaluationRun base = evaluation_of("base", {1, 2}, {1, 2}),
                other = evaluation_of("other", {1, 3}, {1, 2});
  base.data_sha256 = std::string(64, 'a');
  other.data_sha256 = std::string(64, 'b');
  base.labels_sha256 = "c";
  other.labels_sha256 = "d";
  const auto c = compare_evaluations({base, other});
  ASSERT_TRUE(c.ok()) << c.error().text();
  EXPECT_EQ(c->notes,
            (std::vector<std::string>{"other: other data: samples are joined by their names, and "
                                      "their content is not the same",
                                      "other: other labels: its answers are judged by another "
                                      "file"}));
  base.samples = other.samples = {"0", "1"};  // elements of arrays
  EXPECT_EQ(comparison_error({base, other}),
            "error: 'base' and 'other' are of other data, whose samples have numbers alone for "
            "names\n"
            "  SHA-256 aaaaaaaaaaaa... and bbbbbbbbbbbb...\n"
            "  hint: evaluate both with the same --data\n"
            "  [RIDGE-CMP-0024]\n");
  other.data_sha256 = base.data_sha256;
  EXPECT_EQ(comparison_error({base, other}), "");
  other.data_sha256.clear();  // a document that does not say
  EXPECT_EQ(comparison_error({base, other}), "");
}

TEST(EvaluationComparison, NamesTheSamplesWhoseAnswerChanged) {
  const std::vector<std::int64_t> truth = {1, 2, 3, 4, 5};
  const auto c = compare_evaluations({evaluation_of("base", {1, 2, 9, 8, 5}, truth),
                                      evaluation_of("other", {1, 7, 3, 6, 5}, truth)});
  ASSERT_TRUE(c.ok()) << c.error().text();
  const EvaluationDifference& d = c->differences.at(0);
  ASSERT_EQ(d.answers.size(), 3U);
  EXPECT_EQ(d.answers[0].sample, "1.png");
  EXPECT_EQ(word(d.answers[0].change), "lost");
  EXPECT_EQ(d.answers[1].sample, "2.png");
  EXPECT_EQ(word(d.answers[1].change), "gained");
  EXPECT_EQ(d.answers[2].sample, "3.png");
  EXPECT_EQ(word(d.answers[2].change), "changed");
  EXPECT_DOUBLE_EQ(d.changed->value, 0.6);
  EXPECT_EQ(d.accuracy->counts.only_first, 1);
  EXPECT_EQ(d.accuracy->counts.only_second, 1);
}

TEST(EvaluationComparison, JoinsByNameAndThenByTheNameWithoutItsEnding) {
  EvaluationRun base = evaluation_of("base", {1, 2, 3, 4}),
                other = evaluation_of("other", {4, 3, 2, 7});
  base.samples = {"a.png", "b.png", "c.png", "d.png"};
  other.samples = {"x.png", "c.jpg", "b.png", "a.jpg"};
  const auto c = compare_evaluations({base, other});
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c->differences[0].samples, 3);
  EXPECT_EQ(c->differences[0].unjoined, 1);
  ASSERT_EQ(c->differences[0].answers.size(), 1U);  // b and c agree
  EXPECT_EQ(c->differences[0].answers[0].second, 7);
  EXPECT_EQ(c->notes,
            (std::vector<std::string>{"other: 1 sample of the baseline not among its samples"}));
}

/// Two-sided p-value by summing the binomial distribution of fair coins term by term.
double coins(int b, int c) {
  double sum = 0;
  for (int k = 0; k <= std::min(b, c); ++k) {
    double term = 1;
    for (int i = 0; i < k; ++i) term *= static_cast<double>(b + c - i) / (i + 1);
    sum += term / std::pow(2.0, b + c);
  }
  return std::min(1.0, 2 * sum);
}

TEST(EvaluationComparison, CountsAsABruteForceDoes) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::int64_t> truth, first, second;
    int changed = 0, lost = 0, gained = 0;
    for (int i = 0; i < 60; ++i) {
      truth.push_back(random() % 3);
      first.push_back(random() % 4 == 0 ? 3 : truth.back());
      second.push_back(random() % 3 == 0 ? 4 : truth.back());
      changed += first.back() != second.back();
      lost += first.back() == truth.back() && second.back() != truth.back();
      gained += first.back() != truth.back() && second.back() == truth.back();
    }
    const auto c = compare_evaluations(
        {evaluation_of("base", first, truth), evaluation_of("other", second, truth)});
    const EvaluationDifference& d = c->differences.at(0);
    EXPECT_EQ(std::ssize(d.answers), changed);
    EXPECT_EQ(std::ssize(d.accuracy->lost), lost);
    EXPECT_EQ(std::ssize(d.accuracy->gained), gained);
    EXPECT_NEAR(d.accuracy->p_value, coins(lost, gained), 1e-9);
  }
}

TEST(EvaluationComparison, JudgesManyRunsTogether) {
  std::vector<std::int64_t> truth(40, 1), worse(40, 1);
  for (std::size_t i = 0; i < 6; ++i) worse[i] = 0;  // p = 2 / 2^6 = 0.031
  std::vector<EvaluationRun> runs = {evaluation_of("base", truth, truth),
                                     evaluation_of("worse", worse, truth)};
  EXPECT_TRUE(compare_evaluations(runs)->differences[0].accuracy->significant);
  for (int i = 0; i < 9; ++i) runs.push_back(evaluation_of("same", truth, truth));
  EXPECT_FALSE(compare_evaluations(runs)->differences[0].accuracy->significant);  // one of ten
}

TEST(EvaluationComparison, RatiosHaveIntervalsOfBothSides) {
  EvaluationRun base, other;
  base.label = "base", other.label = "other";
  base.latency = {{50, {100, stats::Interval{90, 110}}}, {99, {300, {}}}};
  other.latency = {{50, {200, stats::Interval{190, 230}}}, {99, {330, {}}}};
  const auto c = compare_evaluations({base, other});
  ASSERT_TRUE(c.ok());
  ASSERT_EQ(c->differences[0].latency.size(), 2U);
  const stats::Estimate& median = c->differences[0].latency[0].ratio.ratio;
  EXPECT_DOUBLE_EQ(median.value, 2);
  EXPECT_NEAR(std::log(2 / median.interval->lo), std::hypot(std::log(200.0 / 190), std::log(1.1)),
              1e-12);
  EXPECT_NEAR(std::log(median.interval->hi / 2),
              std::hypot(std::log(230.0 / 200), std::log(100.0 / 90)), 1e-12);
  EXPECT_FALSE(c->differences[0].latency[1].ratio.ratio.interval);
}

TEST(EvaluationComparison, PreprocessingIsComparedSampleBySample) {
  EvaluationRun base = evaluation_of("base", std::vector<std::int64_t>(20, 1)), other = base;
  for (int i = 0; i < 20; ++i) {
    base.prepare_ns.push_back(1000.0 * (1 << i));  // of images of very different sizes
    other.prepare_ns.push_back(500.0 * (1 << i));
  }
  const auto c = compare_evaluations({base, other});
  EXPECT_NEAR(c->differences[0].prepare->ratio.value, 0.5, 1e-9);
  EXPECT_NEAR(c->differences[0].prepare->ratio.high(), 0.5, 1e-9);
}

TEST(EvaluationComparison, WhatCannotBeComparedIsRefused) {
  EXPECT_EQ(comparison_error({evaluation_of("base", {1})}),
            "error: a comparison is of two or more evaluations\n"
            "  hint: name a baseline and others: ridge eval compare base.json other.json\n"
            "  [RIDGE-CMP-0021]\n");
  EvaluationRun elsewhere = evaluation_of("other", {1});
  elsewhere.samples = {"z.png"};
  EXPECT_EQ(comparison_error({evaluation_of("base", {1}), elsewhere}),
            "error: 'base' and 'other' have no sample in common\n"
            "  hint: samples are joined by their names, as in \"samples\" of the documents\n"
            "  [RIDGE-CMP-0022]\n");
  EvaluationRun loads;
  loads.label = "load";
  EXPECT_EQ(comparison_error({evaluation_of("base", {1}), loads}),
            "error: 'base' and 'load' have no figure in common\n"
            "  hint: evaluate both with the same --data, or under the same load\n"
            "  [RIDGE-CMP-0022]\n");
}

std::string checked(const EvaluationComparison& c, std::string_view limit,
                    Uncertain uncertain = Uncertain::kPasses) {
  const Checked check = compare::check(parse_evaluation_limit(limit).value(), c, uncertain).at(0);
  return (check.fails ? "fails: " : "passes: ") + check.text;
}

TEST(EvaluationLimit, FailsWhereTheWholeIntervalLiesBeyond) {
  const std::vector<std::int64_t> truth(40, 1);
  std::vector<std::int64_t> worse = truth;
  for (std::size_t i = 0; i < 20; ++i) worse[i] = 0;
  EvaluationRun base = evaluation_of("base", truth, truth),
                other = evaluation_of("other", worse, truth);
  base.latency = {{99, {100, stats::Interval{90, 110}}}};
  other.latency = {{99, {103, stats::Interval{95, 108}}}};
  const EvaluationComparison c = compare_evaluations({base, other}).value();
  EXPECT_EQ(checked(c, "accuracy<0%"), "fails: accuracy<0%: -50.0 % [-64.8, -35.2] in other");
  EXPECT_EQ(checked(c, "changed>60%"),
            "passes: changed>60%: +50.0 % [+35.2, +64.8] in other: uncertain, passes; fails with "
            "--fail-on-uncertain");
  EXPECT_EQ(checked(c, "p99>5%", Uncertain::kFails),
            "fails: p99>5%: +3.0 % [-9.1, +15.6] in other: uncertain, fails");
  EXPECT_EQ(checked(c, "p99>20%"), "passes: p99>20%: +3.0 % [-9.1, +15.6] in other");
  EXPECT_EQ(checked(c, "throughput<-5%"),
            "fails: throughput<-5%: other cannot be judged: one of both has no such figure");
}

/// An output of scores, of which 95 of 100 samples agree.
accuracy::OutputDivergence scores(std::string output) {
  accuracy::OutputDivergence out{
      .output = std::move(output), .kind = accuracy::Outputs::kLogits, .figures = {}, .differ = {}};
  out.figures.samples = 100;
  out.figures.largest_absolute.value = 0.5;
  out.figures.agreement = {0.95, stats::Interval{0.9, 0.98}};
  out.figures.kullback_leibler = {0.02, stats::Interval{0.015, 0.0275}};
  out.figures.jensen_shannon = {0.004, std::nullopt};
  return out;
}

TEST(EvaluationLimit, OutputsAreJudgedOneByOne) {
  EvaluationComparison c =
      compare_evaluations({evaluation_of("base", {1}), evaluation_of("other", {1})}).value();
  c.differences[0].outputs = {scores("probs")};
  EXPECT_EQ(checked(c, "agreement<99%"),
            "fails: agreement<99%: 95.00 % [90.00, 98.00] in output 'probs' of other");
  EXPECT_EQ(checked(c, "agreement<85%"),
            "passes: agreement<85%: 95.00 % [90.00, 98.00] in output 'probs' of other");
  EXPECT_EQ(checked(c, "agreement<95%", Uncertain::kFails),
            "fails: agreement<95%: 95.00 % [90.00, 98.00] in output 'probs' of other: uncertain, "
            "fails");
  EXPECT_EQ(checked(c, "kl>0.01"),
            "fails: kl>0.01: 0.02 [0.015, 0.0275] in output 'probs' of other");
  EXPECT_EQ(checked(c, "kl>0.03"),
            "passes: kl>0.03: 0.02 [0.015, 0.0275] in output 'probs' of other");
  EXPECT_EQ(checked(c, "js>1"),
            "passes: js>1: 0.004 in output 'probs' of other: uncertain, too few samples for an "
            "interval, passes; fails with --fail-on-uncertain");
  EXPECT_EQ(checked(c, "js>1", Uncertain::kFails),
            "fails: js>1: 0.004 in output 'probs' of other: uncertain, too few samples for an "
            "interval, fails");
  EXPECT_EQ(checked(c, "difference>0.5"), "passes: difference>0.5: 0.5 in output 'probs' of other");
  EXPECT_EQ(checked(c, "difference>4.9e-1"),
            "fails: difference>4.9e-1: 0.5 in output 'probs' of other");
  c.differences[0].outputs[0].figures.kullback_leibler = {std::numeric_limits<double>::infinity(),
                                                          std::nullopt};
  EXPECT_TRUE(checked(c, "kl>9").starts_with("fails: ")) << checked(c, "kl>9");
}

TEST(EvaluationLimit, OutputsThatCannotBeJudgedFailAndValuesHaveNoDivergence) {
  EvaluationComparison c =
      compare_evaluations({evaluation_of("base", {1}), evaluation_of("other", {1})}).value();
  EXPECT_EQ(checked(c, "kl>0.01"),
            "fails: kl>0.01: other cannot be judged: one of both has no such figure");
  accuracy::OutputDivergence boxes = scores("boxes"), resized = scores("resized");
  boxes.kind = accuracy::Outputs::kPlain;
  resized.comparable = false;
  c.differences[0].outputs = {boxes};
  EXPECT_EQ(checked(c, "agreement<1%"),
            "fails: agreement<1%: other cannot be judged: one of both has no such figure");
  c.differences[0].outputs = {boxes, scores("probs"), resized};
  const auto all = [&](std::string_view limit) {
    std::string out;
    for (const Checked& one : compare::check(parse_evaluation_limit(limit).value(), c))
      out += (one.fails ? "fails: " : "passes: ") + one.text + "\n";
    return out;
  };
  EXPECT_EQ(
      all("difference>1"),
      "passes: difference>1: 0.5 in output 'boxes' of other\n"
      "passes: difference>1: 0.5 in output 'probs' of other\n"
      "fails: difference>1: output 'resized' of other cannot be judged: it differs in size\n");
  EXPECT_EQ(all("kl>1"),
            "passes: kl>1: 0.02 [0.015, 0.0275] in output 'probs' of other\n"
            "fails: kl>1: output 'resized' of other cannot be judged: it differs in size\n");
}

TEST(EvaluationLimit, OtherTextsAreRefused) {
  for (const char* text : {"", "accuracy", "accuracy<", "accuracy<1", "accuracy<x%", "f1<1%", "<5%",
                           "kl>1%", "kl>", "kl>x", "agreement<1", "difference>1%"})
    EXPECT_EQ(parse_evaluation_limit(text).error().code(), "RIDGE-CMP-0023") << text;
  EXPECT_EQ(parse_evaluation_limit("size>5%").error().text(),
            "error: 'size>5%' is not a valid limit for evaluations\n"
            "  hint: supported: accuracy, changed, latency, p99, throughput, preprocessing, "
            "agreement, kl, js, difference\n"
            "  [RIDGE-CMP-0023]\n");
}

}  // namespace
}  // namespace ridge::compare
