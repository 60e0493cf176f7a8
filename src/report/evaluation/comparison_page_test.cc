// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/comparison_page.h"

#include <gtest/gtest.h>

#include "report/kit/testing.h"

namespace ridge::report {
namespace {

using compare::EvaluationRun;

/// Answers to three photographs, one with a hostile name.
EvaluationRun evaluation_of(std::string label, std::vector<std::int64_t> predicted) {
  EvaluationRun run;
  run.label = std::move(label);
  run.model = "net.onnx";
  run.data = "photos";
  run.steps = "decode(rgb) crop(224)";
  run.samples = {"cat.png", "<b>.png", "dog.png"};
  run.predicted = std::move(predicted);
  run.class_names = {{1, "tabby & co"}, {2, "<i>hound"}};
  return run;
}

std::string page_of(std::vector<EvaluationRun> runs) {
  return evaluation_comparison_page(compare::compare_evaluations(std::move(runs)).value());
}

TEST(EvaluationComparisonPage, ShowsEveryRunAgainstTheBaseline) {
  const std::string page =
      page_of({evaluation_of("base", {1, 2, 3}), evaluation_of("bgr", {2, 2, 4}),
               evaluation_of("nearest", {1, 3, 4})});
  EXPECT_EQ(testing::unbalanced(page), "");
  EXPECT_EQ(testing::dangling_terms(page), std::vector<std::string>());
  EXPECT_NE(page.find("answers changed: bgr"), std::string::npos);
  EXPECT_NE(page.find("66.7 % (20.8 to 93.9)"), std::string::npos);  // Wilson's for 2 of 3
  const std::string samples = testing::between(page, "<h2>Changed answers</h2>", "</table>");
  // The photograph that changed in both runs is first.
  EXPECT_LT(samples.find("dog.png"), samples.find("cat.png"));
  EXPECT_NE(samples.find("2 &lt;i&gt;hound"), std::string::npos);
  EXPECT_EQ(page.find("<b>.png"), std::string::npos);
  EXPECT_EQ(page.find("<i>hound"), std::string::npos);
}

TEST(EvaluationComparisonPage, NamesLostAndGainedAnswersWhereLabelsAreKnown) {
  EvaluationRun base = evaluation_of("base", {1, 2, 3}), other = evaluation_of("other", {1, 1, 2});
  base.correct = {1, 1, 0};
  other.correct = {1, 0, 1};
  const std::string page = page_of({base, other});
  EXPECT_NE(page.find("<small>lost</small>"), std::string::npos);
  EXPECT_NE(page.find("<small>gained</small>"), std::string::npos);
  EXPECT_NE(page.find("no difference shown, p 1"), std::string::npos);
}

TEST(EvaluationComparisonPage, LeavesOutColumnsThatNoRunFillsAndTilesOfMany) {
  std::vector<EvaluationRun> runs = {evaluation_of("base", {1, 2, 3}),
                                     evaluation_of("bgr", {2, 2, 4})};
  const auto titles = [](const std::string& page) {
    const std::string table = testing::between(page, "id=\"runs\"", "</thead>");
    std::string out;
    for (const char* title : {"accuracy", "verdict", "pre-processing", "latency", "throughput"})
      if (table.find(title) != std::string::npos) out += std::string(title) + " ";
    return out;
  };
  EXPECT_EQ(titles(page_of(runs)), "");
  EXPECT_NE(page_of(runs).find("class=\"tiles\""), std::string::npos);
  for (EvaluationRun& run : runs) {
    run.correct = {1, 1, 0};
    run.latency = {{50, {100, stats::Interval{90, 110}}}};
    run.completed_per_s = {.value = 100, .interval = {}};
    run.prepare_ns = {1, 2, 3};  // too few for a ratio
  }
  EXPECT_EQ(titles(page_of(runs)), "accuracy verdict latency throughput ");
  for (int i = 0; i < 20; ++i) runs.push_back(evaluation_of(std::to_string(i), {1, 2, 3}));
  const std::string many = page_of(runs);
  EXPECT_EQ(testing::unbalanced(many), "");
  EXPECT_EQ(many.find("class=\"tiles\""), std::string::npos);
}

TEST(EvaluationComparisonPage, OfEqualAnswersSaysSo) {
  EXPECT_NE(page_of({evaluation_of("base", {1, 2, 3}), evaluation_of("same", {1, 2, 3})})
                .find("No answer changed."),
            std::string::npos);
}

}  // namespace
}  // namespace ridge::report
