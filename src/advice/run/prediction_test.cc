// SPDX-License-Identifier: Apache-2.0
// Advice with a run database in a real ONNX Runtime: what is kept, what is measured only once, and
// gains that follow from bricks.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "advice/run/advice.h"
#include "attribution/testing.h"
#include "base/temporary_folder.h"
#include "session/testing.h"
#include "store/store.h"

namespace ridge::advice {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

/// SiLU and Tanh spelled out, large enough for kernels that can be timed.
constexpr std::string_view kTwoDefects = R"(graph main
    input x[64,4096]
    reals one=1
    Relu(x) -> a
    Neg(a) -> n
    Exp(n) -> e
    Add(e, one) -> s
    Div(a, s) -> b
    Sin(b) -> c
    Neg(c) -> d
    Exp(d) -> f
    Add(f, one) -> g
    Div(one, g) -> h
    Sin(h) -> y
    output y)";

const Finding* find_prediction(const Advice& advice, const std::string& id) {
  const auto found = std::ranges::find(advice.findings, id, &Finding::id);
  return found == advice.findings.end() ? nullptr : &*found;
}

/// A run database that is removed afterwards, with the files that SQLite keeps beside it.
struct Database {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  std::string path = folder.path() + "/runs.db";
};

TEST(AdviceSlow, BricksPredictEachGainAndThatOfAllTogether) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kTwoDefects, "two");
  const Database database;
  AdviceRequest request{.model = model.path, .spec = model.spec, .store = database.path};
  const Advice without = must(advise(request, model.environment)).advice;
  ASSERT_NE(find_prediction(without, "silu"), nullptr);
  EXPECT_FALSE(find_prediction(without, "silu")->gain_ns);
  EXPECT_EQ(find_prediction(without, "silu")->no_price,
            "no bricks were measured here that would predict the gain");
  EXPECT_EQ(without.achievable.coverage.nodes, 0);
  ASSERT_TRUE(without.joint);
  EXPECT_EQ(without.joint->ids, (std::vector<std::string>{"silu", "sigmoid"}));
  EXPECT_FALSE(without.joint->gain_ns);

  request.measure_bricks = true;
  const Advice with = must(advise(request, model.environment)).advice;
  EXPECT_EQ(with.measured_ns.value, without.measured_ns.value);  // the run of the store
  EXPECT_EQ(with.achievable.coverage.nodes, 1);
  ASSERT_TRUE(find_prediction(with, "silu")->gain_ns && find_prediction(with, "sigmoid")->gain_ns &&
              with.joint->gain_ns);
  const stats::Estimate silu = *find_prediction(with, "silu")->gain_ns, both = *with.joint->gain_ns;
  EXPECT_LT(silu.low(), silu.value);
  EXPECT_LT(silu.value, silu.high());
  // The edits touch different kernels, so here gains add up, but for what each shares.
  const stats::Estimate sigmoid = *find_prediction(with, "sigmoid")->gain_ns;
  EXPECT_NEAR(
      both.value, silu.value + sigmoid.value,
      (silu.high() - silu.low() + sigmoid.high() - sigmoid.low() + both.high() - both.low()) / 2);

  // The pieces that change add up to the gain as far as it is known (it has the time outside layers
  // as well), and are the nodes of the defect and around it.
  double sum = 0;
  for (const ChangedPiece& piece : find_prediction(with, "silu")->changed)
    sum += piece.before_ns - piece.after_ns;
  EXPECT_GE(sum, silu.low());
  EXPECT_LE(sum, silu.high());
  ASSERT_FALSE(find_prediction(with, "silu")->changed.empty());
  const std::vector<graph::NodeId>& nodes = find_prediction(with, "silu")->changed[0].nodes;
  for (const graph::NodeId n : {1U, 2U, 3U, 4U})
    EXPECT_TRUE(std::ranges::binary_search(nodes, n)) << n;
  EXPECT_FALSE(std::ranges::binary_search(nodes, 8U));  // of the other defect
  EXPECT_TRUE(find_prediction(without, "silu")->changed.empty());

  // Nothing is measured again: the same figures follow from the store alone.
  request.measure_bricks = false;
  const Advice again = must(advise(request, model.environment)).advice;
  EXPECT_EQ(find_prediction(again, "silu")->gain_ns->value, silu.value);
  EXPECT_EQ(must(must(store::Store::open(database.path, store::Access::kRead)).list()).size(), 1U);
}

/// Branches of convolutions in a blocked layout between operators that have none: the runtime
/// inserts reorders, whose names and order differ from load to load.
std::string reordered() {
  std::string out = "graph main\n input x[1,16,48,48]\n constant w[16,16,3,3]\n reals one=1\n";
  std::string outputs = "output";
  for (int i = 0; i < 8; ++i) {
    out += fmt::format(
        "Conv(x, w) {{pads=[1,1,1,1]}} -> c{0}\nSin(c{0}) -> s{0}\nConv(s{0}, w) "
        "{{pads=[1,1,1,1]}} -> d{0}\nNeg(d{0}) -> n{0}\nExp(n{0}) -> e{0}\nAdd(e{0}, one) -> "
        "t{0}\nDiv(d{0}, t{0}) -> y{0}\n",
        i);
    outputs += fmt::format(" y{}", i);
  }
  return out + outputs + "\n";
}

/// Pieces of a prediction, for the message of a failure.
std::string pieces_of(const Finding& finding) {
  std::string out;
  for (const ChangedPiece& piece : finding.changed)
    out += fmt::format("nodes {}: {} ns, {} ns after\n", fmt::join(piece.nodes, " "),
                       piece.before_ns, piece.after_ns);
  return out;
}

TEST(AdviceSlow, TheSameStoreGivesTheSamePrediction) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(reordered(), "reordered");
  const Database database;
  AdviceRequest request{
      .model = model.path, .spec = model.spec, .store = database.path, .measure_bricks = true};
  const Advice first = must(advise(request, model.environment)).advice;
  ASSERT_TRUE(find_prediction(first, "silu") && find_prediction(first, "silu")->gain_ns)
      << (find_prediction(first, "silu") != nullptr
              ? find_prediction(first, "silu")->no_price
              : fmt::format("{}", fmt::join(first.notes, "; ")));
  request.measure_bricks = false;
  for (int i = 0; i < 4; ++i) {
    const Advice again = must(advise(request, model.environment)).advice;
    ASSERT_TRUE(find_prediction(again, "silu") && find_prediction(again, "silu")->gain_ns)
        << (find_prediction(again, "silu") != nullptr ? find_prediction(again, "silu")->no_price
                                                      : "");
    EXPECT_EQ(find_prediction(again, "silu")->gain_ns->value,
              find_prediction(first, "silu")->gain_ns->value)
        << pieces_of(*find_prediction(first, "silu")) << "and then\n"
        << pieces_of(*find_prediction(again, "silu"));
  }
}

/// Copies a run database without the runs of bricks of a kind.
void copy_without(const std::string& from, const std::string& to, std::string_view kind) {
  const store::Store read = must(store::Store::open(from, store::Access::kRead));
  store::Store write = must(store::Store::open(to, store::Access::kCreate));
  for (const store::RunRow& run : must(read.list()))
    must(write.append(must(read.read(run.id)), must(read.stamp(run.id))));
  for (const std::string& point : must(read.suite_points()))
    for (profile::SuiteProcess& p : must(read.suites(point))) {
      for (profile::SuiteBrick& b : p.bricks) {
        if (b.kind != kind) continue;
        b.runs.clear();
        p.lost.push_back({b.key, "its runs were removed"});
      }
      must(write.append(p));
    }
}

TEST(AdviceSlow, BricksWithoutAMeasuredTimeGiveNoPrice) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kTwoDefects, "two");
  const Database database;
  AdviceRequest request{
      .model = model.path, .spec = model.spec, .store = database.path, .measure_bricks = true};
  ASSERT_TRUE(find_prediction(must(advise(request, model.environment)).advice, "silu")->gain_ns);
  request.measure_bricks = false;
  request.store = database.folder.path() + "/lost.db";
  copy_without(database.path, request.store, "Sin|float32");
  const Advice advice = must(advise(request, model.environment)).advice;
  EXPECT_FALSE(find_prediction(advice, "silu")->gain_ns);
  EXPECT_EQ(find_prediction(advice, "silu")->no_price,
            "2 bricks of the model and 2 bricks of the edited copy have no measured time, and too "
            "few bricks like them do to predict one");
}

TEST(AdviceSlow, ChecksAreKeptForTheScoreboard) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kTwoDefects, "kept");
  const Database database;
  AdviceRequest request{
      .model = model.path, .spec = model.spec, .store = database.path, .checks = {"silu"}};
  const Advice advice = must(advise(request, model.environment)).advice;
  const Finding& silu = *find_prediction(advice, "silu");
  ASSERT_TRUE(silu.check);
  EXPECT_FALSE(find_prediction(advice, "sigmoid")->check);
  const store::Store store = must(store::Store::open(database.path, store::Access::kRead));
  const std::vector<profile::CheckedFinding> kept = must(store.checked_findings());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].finding, "silu");
  EXPECT_EQ(kept[0].kind, "unfused_pattern");
  EXPECT_EQ(kept[0].nodes, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(kept[0].gain_ns.value, silu.check->gain_ns.value);
  EXPECT_EQ(kept[0].before_ns.value, silu.check->before_ns.value);
  EXPECT_EQ(kept[0].state, silu.check->state);
  EXPECT_EQ(kept[0].prediction, silu.check->prediction);
  EXPECT_LE(kept[0].max_rel, 1e-4);
}

TEST(AdviceSlow, TheCheckOfAllTogetherIsKeptToo) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kTwoDefects, "joint");
  const Database database;
  const AdviceRequest request{
      .model = model.path, .spec = model.spec, .store = database.path, .checks = {"all"}};
  const Advice advice = must(advise(request, model.environment)).advice;
  ASSERT_TRUE(advice.joint && advice.joint->check);
  const store::Store store = must(store::Store::open(database.path, store::Access::kRead));
  const std::vector<profile::CheckedFinding> kept = must(store.checked_findings());
  const auto joint = std::ranges::find(kept, "together", &profile::CheckedFinding::finding);
  ASSERT_NE(joint, kept.end());
  EXPECT_EQ(joint->kind, "together");
  EXPECT_EQ(joint->nodes, (std::vector<std::uint32_t>{1, 2, 3, 4, 6, 7, 8, 9}));
  EXPECT_EQ(joint->gain_ns.value, advice.joint->check->gain_ns.value);
  EXPECT_EQ(joint->state, advice.joint->check->state);
}

TEST(AdviceSlow, ASpentBudgetLeavesChecksUnjudged) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  session::testing::ModelFile model(kTwoDefects, "spent");
  model.spec.budget = {0.1, false};
  const AdviceRequest request{.model = model.path, .spec = model.spec, .checks = {"all"}};
  const Advice advice = must(advise(request, model.environment)).advice;
  ASSERT_TRUE(find_prediction(advice, "silu")->check);
  EXPECT_EQ(find_prediction(advice, "silu")->check->state, CheckState::kNotJudged);
  EXPECT_EQ(find_prediction(advice, "silu")->check->reason, "the budget was spent");
}

TEST(AdviceSlow, WhatCannotBeAppliedIsNotJudged) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const session::testing::ModelFile model(kTwoDefects, "shown");
  const AdviceRequest request{.model = model.path, .spec = model.spec, .checks = {"distance"}};
  const Advice advice = must(advise(request, model.environment)).advice;
  const Finding* distance = find_prediction(advice, "distance");
  if (distance == nullptr) GTEST_SKIP() << "this machine runs the model at its roofs";
  EXPECT_EQ(distance->check->reason, "nothing can be applied: the finding shows where time goes");
}

}  // namespace
}  // namespace ridge::advice
