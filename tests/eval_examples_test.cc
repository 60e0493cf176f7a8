// SPDX-License-Identifier: Apache-2.0
// Tests of the programs that show evaluations: examples/pitfalls on six crops, whose answers a
// second implementation gives as well, and scripts/eval_demo.py for a moment.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

std::string quoted(const std::string& path) { return "'" + (source_tree() / path).string() + "'"; }

/// Why these programs cannot run here; "": they can.
std::string missing() {
  if (!has_runtime()) return "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  if (lacks_openvino("openvino")) return "no OpenVINO: scripts/fetch_openvino.sh";
  const std::filesystem::path cache = analysis::testing::cache_folder();
  if (!std::filesystem::exists(cache / "evaluation-data/efficientnet_lite0.onnx"))
    return "scripts/fetch_evaluation_data.sh has not been able to run";
  if (!std::filesystem::exists(cache / "oracles/current/bin/python"))
    return "scripts/fetch_oracles.sh has not been able to run";
  return "";
}

/// Lines that begin with `start`.
std::ptrdiff_t lines_with(const std::string& text, const std::string& start) {
  return std::ranges::count_if(lines_of(text),
                               [&](const std::string& line) { return line.starts_with(start); });
}

TEST(PitfallsSlow, SixCropsHaveTheAnswersOfThePythonReference) {
  if (!missing().empty()) GTEST_SKIP() << missing();
  const Workplace place;
  // Of these photographs, which show no class of ImageNet, 15 of the mistakes change an answer.
  const Outcome shown = place.run("python3 " + quoted("examples/pitfalls/run.py") +
                                  " --only hubble,ihc --each 3 --seconds 0.2 --out out");
  ASSERT_EQ(shown.status, 0) << shown.out << shown.err;
  EXPECT_TRUE(shown.out.starts_with("6 crops in out/crops\n")) << shown.out;
  EXPECT_EQ(lines_with(shown.out, "BGR instead of RGB  "), 1) << shown.out;
  const std::string page = read_text(place.folder() / "there/out/index.html");
  EXPECT_NE(page.find("on 6 crops of 2 photographs"), std::string::npos);
  EXPECT_NE(page.find("<img src=\"data:image/jpeg;base64,/9j/"), std::string::npos);

  const std::filesystem::path cache = analysis::testing::cache_folder();
  const Outcome again =
      place.run("'" + (cache / "oracles/current/bin/python").string() + "' " +
                quoted("examples/pitfalls/reference.py") + " out '" +
                (cache / "evaluation-data/efficientnet_lite0.onnx").string() + "'");
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_EQ(lines_of(again.out).size(), 16U) << again.out;
}

TEST(EvalDemoSlow, AMomentOfItHasARowForEachEvaluation) {
  if (!missing().empty()) GTEST_SKIP() << missing();
  const Workplace place;
  const Outcome outcome =
      place.run("python3 " + quoted("scripts/eval_demo.py") + " --quick --out out");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  // A row of the table has the name alone, reasons have a comma after it.
  EXPECT_EQ(lines_with(outcome.out, "digits   "), 10) << outcome.out;
  EXPECT_EQ(lines_with(outcome.out, "photographs  "), 10) << outcome.out;
  const std::string page = read_text(place.folder() / "there/out/index.html");
  EXPECT_NE(page.find("98.6 %<small>97.9 % to 99.0 %</small>"), std::string::npos) << page;
  EXPECT_NE(page.find("6 of 7<small>85.7 %, 48.7 % to 97.4 %</small>"), std::string::npos) << page;
}

TEST(EvalDemo, WithoutTheProgramItSaysWhatToBuild) {
  const Workplace place;
  const Outcome outcome =
      place.run("python3 " + quoted("scripts/eval_demo.py") + " --ridge nowhere/ridge");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "eval_demo: there is no nowhere/ridge; build it (make build), or name one: --ridge "
            "PATH\n");
}

}  // namespace
}  // namespace ridge::tests
