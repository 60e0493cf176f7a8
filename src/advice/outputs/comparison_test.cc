// SPDX-License-Identifier: Apache-2.0
// Where outputs are compared, in a real ONNX Runtime.
#include "advice/outputs/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "advice/outputs/further_sizes.h"
#include "analysis/testing.h"
#include "attribution/testing.h"
#include "session/testing.h"
#include "session/workbench.h"

namespace ridge::advice {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

/// Compares two sketched models at their default sizes.
OutputDifference compared(std::string_view before, std::string_view after,
                          Expected expected = Expected::kSame) {
  const session::testing::ModelFile one(before, "compared-one"), other(after, "compared-other");
  const auto bench_of = [](const session::testing::ModelFile& file) {
    return must(session::make_workbench(file.path, file.spec, file.environment));
  };
  const session::Workbench first = bench_of(one), second = bench_of(other);
  const session::Point point = session::points_of(one.spec).at(0);
  const analysis::Resolved a = must(first.resolve(point)), b = must(second.resolve(point));
  return must(compare_widely({&a, must(first.request(point))}, {&b, must(second.request(point))},
                             expected));
}

TEST(CompareOutputsSlow, ModelsThatAgreeForOneBatchOnlyDiffer) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::string model = R"(graph main
    input x[n,4,3] s[1,1,3]
    integers rows[2]=-1,3 front[1]=0
    Sin(x) -> r
    Reshape(r, rows) -> a
    Unsqueeze(a, front) -> b
    Mul(b, s) -> y
    output y)";
  const OutputDifference d =
      compared(model, "graph main\ninput x[n,4,3] s[1,1,3]\nSin(x) -> r\nMul(r, s) -> y\noutput y");
  EXPECT_EQ(d.max_rel, std::numeric_limits<double>::infinity());  // shapes differ
  EXPECT_EQ(d.differs_usually, "without bound in 'y': seeded, n=2");
  const OutputDifference same = compared(model, model);
  EXPECT_EQ(same.max_rel, 0);
  EXPECT_EQ(same.sizes, (std::vector<std::string>{"n=1", "n=2", "n=3"}));
  EXPECT_EQ(same.inputs, (std::vector<std::string>{"seeded", "zeros", "times 1e-30", "times 100",
                                                   "some of 1e20", "some NaN", "some infinite"}));
  EXPECT_EQ(same.differs_usually + same.differs_unusually, "");
  EXPECT_TRUE(same.not_compared.empty());
}

TEST(CompareOutputsSlow, UnusualInputsAreToldApart) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const OutputDifference d = compared(
      "graph main\ninput x[40]\nreals one=1\nExp(x) -> e\nAdd(e, one) -> s\nLog(s) -> y\noutput y",
      "graph main\ninput x[40]\nSoftplus(x) -> y\noutput y");
  EXPECT_LE(d.max_rel, kMaxDifference);
  EXPECT_EQ(d.differs_usually, "");
  EXPECT_EQ(d.differs_unusually, "without bound in 'y': times 100, as declared");
}

TEST(CompareOutputsSlow, OutputsOfEveryTypeAreCompared) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // int64; float16 (10), float64 (11), bool (9) and uint8 (2) after a Cast.
  const auto with = [](const std::string& first, const std::string& last) {
    return "graph main\ninput x[2,16]\n" + first + "(x) -> h\n" + last + " -> y\noutput y";
  };
  for (const std::string last : {"ArgMax(h) {axis=1}", "Cast(h) {to=10}", "Cast(h) {to=11}",
                                 "Cast(h) {to=9}", "Cast(h) {to=2}"}) {
    SCOPED_TRACE(last);
    EXPECT_EQ(compared(with("Abs", last), with("Abs", last)).max_rel, 0);
    const std::string other = last == "Cast(h) {to=9}" ? "Floor" : "Neg";
    EXPECT_NE(compared(with("Abs", last), with(other, last)).differs_usually, "");
  }
}

TEST(CompareOutputsSlow, ACopyThatRefusesASizeDiffersThere) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::string free = "graph main\ninput x[n,4]\nSin(x) -> y\noutput y";
  const std::string fixed =
      "graph main\ninput x[n,4]\nintegers one[2]=1,4\nSin(x) -> s\nReshape(s, one) -> y\noutput y";
  EXPECT_EQ(compared(free, fixed).differs_usually, "the changed model does not run: seeded, n=2");
  EXPECT_EQ(compared(free, fixed, Expected::kSameIfBound).differs_usually, "");
}

TEST(CompareOutputsSlow, RoundingIsThatOfTheModelItselfWhereItIsMore) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // A difference of large equal sums is rounding alone, and differs between two orders of adding.
  const std::string model = R"(graph main
    input x[8,512]
    constant w[512,512]
    reals k=1000000
    Mul(x, k) -> a
    MatMul(a, w) -> b
    MatMul(x, w) -> c
    Mul(c, k) -> d
    Sub(b, d) -> y
    output y)";
  std::string other = model;
  other.replace(other.find("Mul(x, k) -> a"), 14, "Mul(k, x) -> z\nIdentity(z) -> a");
  const OutputDifference d = compared(model, other);
  EXPECT_EQ(d.differs_usually, "");
  EXPECT_GE(d.rounding, kMaxDifference);
}

TEST(FurtherSizes, AllTogetherAndThenEachAlone) {
  const analysis::Resolved model =
      analysis::testing::resolved("graph main\ninput x[n,w] m[n,1]\nAdd(x, m) -> y\noutput y",
                                  {.sizes = {{"n", {1, false}}, {"w", {64, false}}}, .shapes = {}});
  const std::vector<std::string> free = free_sizes(model);
  EXPECT_EQ(free, (std::vector<std::string>{"n", "w"}));
  const std::vector<SizeTrial> all = trials(model, free);
  EXPECT_EQ(sizes_text(all.at(0).sizes), "n=2, w=32");
  EXPECT_EQ(sizes_text(all.at(1).sizes), "n=3, w=48");
  EXPECT_EQ(sizes_text(all.at(7).sizes), "n=2, w=64");
  EXPECT_EQ(all.at(7).changed, (std::vector<std::string>{"n"}));
}

}  // namespace
}  // namespace ridge::advice
