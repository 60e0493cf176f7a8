// SPDX-License-Identifier: Apache-2.0
#include "measure/verification.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "attribution/testing.h"
#include "measure/session.h"
#include "profile/verified.h"
#include "runtime/paths.h"

namespace ridge::measure {
namespace {

using attribution::testing::must;
using profile::Profile;

/// Convolutions with operators fused into them, and a sum with two tensors crossing.
constexpr std::string_view kNetwork = R"(graph main
  input x[1,8,32,32]
  constant w1[16,8,3,3] w2[16,16,3,3] w3[16,16,1,1]
  Conv(x, w1) {pads=[1,1,1,1]} -> a
  Relu(a) -> b
  MaxPool(b) {kernel_shape=[2,2] strides=[2,2]} -> c
  Conv(c, w2) {pads=[1,1,1,1]} -> d
  Add(c, d) -> e
  Relu(e) -> f
  Conv(f, w3) -> g
  GlobalAveragePool(g) -> y
  output y)";

Request brief(const std::string& runtime) {
  Request request;
  request.runtime = attribution::testing::options(runtime::Optimization::kAll);
  request.runtime.plugin = must(runtime::find_plugin(runtime));
  request.runtime.folders = runtime::library_folders(*runtime::known_runtime(runtime), {});
  request.plan = {.min_rounds = 10, .max_rounds = 12, .budget = Nanos{0}};
  request.processes = 2;
  return request;
}

class VerificationInSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(VerificationInSlow, HoldsLayersAgainstPartsOfTheModel) {
  if (!runtime::find_plugin(GetParam()).ok()) GTEST_SKIP() << "no " << GetParam();
  const analysis::Resolved r = analysis::testing::resolved(kNetwork);
  const Request request = brief(GetParam());
  Profile p = must(profile_model(r, request));
  must(verify(r, request, 2, p));
  ASSERT_FALSE(p.verification.cuts.empty()) << p.verification.reason;
  for (const std::string& note : p.notes)
    EXPECT_EQ(note.find("cannot be compared"), std::string::npos) << note;
  std::uint32_t layers = 0;
  for (const profile::VerifiedCut& cut : p.verification.cuts) {
    EXPECT_NE(cut.verdict, profile::Verdict::kIncomparable) << cut.tensor;
    EXPECT_GT(cut.layers, layers);
    layers = cut.layers;
    EXPECT_EQ(cut.tensor, r.model().value(r.model().outputs(cut.node)[0]).name);
    double before = 0;
    for (std::uint32_t l = 0; l < cut.layers; ++l) before += p.layers[l].corrected_ns;
    EXPECT_DOUBLE_EQ(cut.layers_ns, before);
    EXPECT_TRUE(std::isfinite(cut.part_ns.value));
    EXPECT_LE(cut.part_ns.low(), cut.part_ns.value);
    EXPECT_GE(cut.part_ns.high(), cut.part_ns.value);
    EXPECT_NEAR(cut.difference.value,
                (cut.layers_ns + cut.outside_ns - cut.part_ns.value) / p.latency.ns.value, 1e-9);
  }
  EXPECT_LT(layers, p.layers.size());
  const std::vector<profile::Segment> segments = profile::segments(p);
  for (const profile::Layer& layer : p.layers)
    EXPECT_NE(profile::segment_of(segments, layer.index), nullptr) << "a layer rests on nothing";
}

INSTANTIATE_TEST_SUITE_P(Runtimes, VerificationInSlow, ::testing::Values("ort", "openvino"));

TEST(VerificationSlow, SaysWhyAModelHasNoCuts) {
  if (!runtime::find_plugin("ort").ok()) GTEST_SKIP() << "no ONNX Runtime";
  const analysis::Resolved r = analysis::testing::resolved(
      "graph main\n input x[4] m[4]\n Sin(x) -> a\n Cos(a) -> b\n"
      " Add(b, m) -> y\n output y");
  const Request request = brief("ort");
  Profile p = must(profile_model(r, request));
  must(verify(r, request, 3, p));
  EXPECT_TRUE(p.verification.cuts.empty());
  EXPECT_EQ(p.verification.reason, "no tensor of the model is all that later nodes read");
}

TEST(VerificationSlow, AnInterruptionKeepsTheProfile) {
  if (!runtime::find_plugin("ort").ok()) GTEST_SKIP() << "no ONNX Runtime";
  const analysis::Resolved r = analysis::testing::resolved(kNetwork);
  Request request = brief("ort");
  Profile p = must(profile_model(r, request));
  const std::size_t layers = p.layers.size();
  const std::atomic<bool> interrupted = true;
  request.runtime.interrupted = &interrupted;
  const Result<void> verified = verify(r, request, 2, p);
  EXPECT_TRUE(p.verification.cuts.empty());
  EXPECT_TRUE(!verified.ok() || p.verification.asked());
  EXPECT_EQ(p.layers.size(), layers);
}

}  // namespace
}  // namespace ridge::measure
