// SPDX-License-Identifier: Apache-2.0
// Check runs in a real ONNX Runtime.
#include "measure/value_check.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"

namespace ridge::measure {
namespace {

using attribution::CheckedAttribution;
using attribution::testing::Attributed;
using attribution::testing::must;

struct Checked {
  explicit Checked(const Attributed& run, const std::map<std::string, std::string>& files = {}) {
    Request request{.runtime = attribution::testing::options(runtime::Optimization::kAll)};
    request.inputs = files;
    const Material material =
        must(prepare(run.resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
    check = must(check_values({run.resolved, request, material, run.graph, run.attribution}));
    CheckedAttribution found =
        must(attribution::attribute(run.resolved, run.copy, run.graph, nullptr, check.trials));
    notes = value_notes(check, run.attribution, found, run.resolved);
    attribution = std::move(found.attribution);
    counts = found.values;
  }
  ValueCheck check;
  std::vector<std::string> notes;
  attribution::Attribution attribution;
  attribution::ValueCounts counts;
};

std::string evidence(const Attributed& run, const attribution::Attribution& a,
                     std::string_view node) {
  for (const attribution::Layer& l : a.layers)
    for (const profile::Member& m : l.members)
      if (m.role != profile::Role::kPart && run.name(m.node) == node)
        return std::string(profile::name(m.evidence));
  return "";
}

// ONNX Runtime multiplies and adds in one Gemm of two dimensions and reshapes its output. No name
// says which of the two kernels adds.
constexpr std::string_view kProjection = R"(graph main
  input x[2,16,32]
  constant w[32,32] b[32]
  integers heads[4]=2,16,4,8
  project: MatMul(x, w) -> p
  bias: Add(p, b) -> q
  split: Reshape(q, heads) -> r
  act: Softmax(r) -> y
  output y)";

TEST(ValueCheckSlow, DecidesWhichKernelOfARegionComputesANode) {
  RUN_OR_SKIP(run, analysis::testing::resolved(kProjection), {.profile = true});
  ASSERT_EQ(run->evidence("bias"), "region") << run->layers();
  const Checked checked(*run);
  EXPECT_EQ(evidence(*run, checked.attribution, "bias"), "value");
  EXPECT_EQ(evidence(*run, checked.attribution, "project"), "value");
  EXPECT_EQ(checked.check.inputs, 2U);
  ASSERT_FALSE(checked.notes.empty());
  EXPECT_EQ(
      checked.notes[0],
      "value check: of 2 tensors that names do not decide, 2 equal one tensor of the model (2 "
      "sets of inputs, 1 run)");
}

// Nodes and tensors of blocked kernels have other numbers in every session.
TEST(ValueCheckSlow, FindsTheTensorsOfAnotherSession) {
  RUN_OR_SKIP(run, analysis::testing::resolved(R"(graph main
  input x[1,8,8,8]
  constant v[8,8,1,1] w[8,8,1,1] u[8,8,3,3]
  stem: Conv(x, v) -> a
  left: Conv(a, w) -> b
  right: Conv(a, u) {pads=[1,1,1,1]} -> c
  sum: Add(b, c) -> d
  act: Relu(d) -> e
  gate: HardSigmoid(e) -> f
  scale: Mul(e, f) -> y
  output y)"),
              {.profile = true});
  const Checked checked(*run);
  EXPECT_EQ(checked.check.reason, "");
  EXPECT_GT(checked.counts.equal, 0) << run->layers();
  EXPECT_EQ(checked.counts.none, 0);
  EXPECT_EQ(checked.counts.corrected, 0);
  EXPECT_EQ(evidence(*run, checked.attribution, "stem"), "value");
}

TEST(ValueCheckSlow, TakesOneSetOfInputsFromFiles) {
  RUN_OR_SKIP(run, analysis::testing::resolved(R"(graph main
  input x[2,4,4]
  constant w[4,4] b[4]
  integers heads[4]=2,4,2,2
  project: MatMul(x, w) -> p
  bias: Add(p, b) -> q
  split: Reshape(q, heads) -> r
  act: Softmax(r) -> y
  output y)"),
              {.profile = true});
  const Checked checked(*run, {{"x", "0.5"}});
  EXPECT_EQ(checked.check.inputs, 1U);
}

TEST(ValueCheckSlow, StatesWhyNothingWasCompared) {
  RUN_OR_SKIP(run, analysis::testing::resolved(R"(graph main
  input x[4,8]
  a: Sigmoid(x) -> t
  b: Softmax(t) -> y
  output y)"),
              {.profile = true});
  const Checked checked(*run);
  EXPECT_EQ(checked.notes,
            std::vector<std::string>{"values were not checked: every tensor between the runtime's "
                                     "kernels kept its name"});
}

}  // namespace
}  // namespace ridge::measure
