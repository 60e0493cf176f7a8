// SPDX-License-Identifier: Apache-2.0
#include "attribution/value_match.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "attribution/testing.h"
#include "onnx/half.h"

namespace ridge::attribution {
namespace {

using testing::must;

/// Tensors in memory of their own.
class Values {
 public:
  Values(onnx::DataType type, std::vector<std::int64_t> dims)
      : type_(type), dims_(std::move(dims)) {}

  template <typename T>
  Values& add(const std::vector<T>& elements) {
    runs_.emplace_back(elements.size() * sizeof(T));
    std::memcpy(runs_.back().data(), elements.data(), runs_.back().size());
    return *this;
  }
  FetchedTensor of(graph::ValueId v) const {
    std::vector<Elements> runs;
    for (const auto& bytes : runs_) runs.push_back({type_, dims_, bytes});
    return fetched(v, std::move(runs));
  }

 private:
  onnx::DataType type_;
  std::vector<std::int64_t> dims_;
  std::vector<std::vector<std::byte>> runs_;
};

/// Elements that repeat nowhere: sine of a multiple of the place.
std::vector<float> wave(std::size_t n, float step) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = std::sin(step * static_cast<float>(i + 1));
  return out;
}

Values floats(std::vector<std::int64_t> dims, const std::vector<float>& first,
              const std::vector<float>& second) {
  return Values(onnx::DataType::kFloat, std::move(dims)).add(first).add(second);
}

std::string shown(const ValueTrial& t) {
  std::string out = t.decisive ? "" : "trivial ";
  if (t.refuted) out += "refuted ";
  for (const EqualTensor& e : t.equal)
    out += fmt::format("{}:{} ", e.value, e.how == Agreement::kInOrder ? "order" : "permuted");
  return out;
}

std::string tried(const FetchedTensor& tensor, graph::ValueId claimed,
                  const std::vector<FetchedTensor>& originals) {
  ValueTrial trial;
  try_values(tensor, claimed, originals, trial);
  return shown(trial);
}

TEST(ValueMatch, TellsEqualTensorsByTheirElementsInEveryRun) {
  const auto a = wave(24, 0.7F), b = wave(24, 1.3F), c = wave(24, 2.1F);
  const Values tensor = floats({4, 6}, a, b);
  const Values same = floats({4, 6}, a, b), reshaped = floats({2, 2, 6}, a, b);
  const Values once = floats({4, 6}, a, c), other = floats({4, 6}, c, b);
  EXPECT_EQ(
      tried(tensor.of(0), graph::kNone, {same.of(1), reshaped.of(2), once.of(3), other.of(4)}),
      "1:order 2:order ");
}

TEST(ValueMatch, AllowsWhatRoundingExplains) {
  auto a = wave(24, 0.7F), b = wave(24, 1.3F);
  const Values original = floats({24}, a, b);
  auto near = a, far = a;
  near[5] += 1e-4F;
  far[5] += 1e-3F;
  EXPECT_EQ(tried(floats({24}, near, b).of(0), 1, {original.of(1)}), "1:order ");
  // Too far to be equal, too near to refute the name.
  EXPECT_EQ(tried(floats({24}, far, b).of(0), 1, {original.of(1)}), "");
  EXPECT_EQ(tried(floats({24}, wave(24, 2.1F), b).of(0), 1, {original.of(1)}), "refuted ");
  EXPECT_EQ(tolerance(onnx::DataType::kInt64), 0);
}

TEST(ValueMatch, SeesThroughLayouts) {
  // [1, 3, 2, 3]: channels last, and in blocks of 8 with 5 padding channels.
  constexpr std::size_t kChannels = 3, kPixels = 6, kBlock = 8;
  const auto last = [](const std::vector<float>& x) {
    std::vector<float> out(x.size());
    for (std::size_t c = 0; c < kChannels; ++c)
      for (std::size_t p = 0; p < kPixels; ++p) out[p * kChannels + c] = x[c * kPixels + p];
    return out;
  };
  const auto blocked = [](const std::vector<float>& x) {
    std::vector<float> out(kBlock * kPixels);
    for (std::size_t c = 0; c < kChannels; ++c)
      for (std::size_t p = 0; p < kPixels; ++p) out[p * kBlock + c] = x[c * kPixels + p];
    return out;
  };
  const auto a = wave(18, 0.7F), b = wave(18, 1.3F);
  const Values in_order = floats({1, 3, 2, 3}, a, b);
  const FetchedTensor original = in_order.of(1);
  EXPECT_EQ(tried(floats({1, 2, 3, 3}, last(a), last(b)).of(0), 1, {original}), "1:permuted ");
  EXPECT_EQ(tried(floats({1, 8, 2, 3}, blocked(a), blocked(b)).of(0), 1, {original}),
            "1:permuted ");
  const Values channels_last = floats({1, 2, 3, 3}, last(a), last(b));
  const FetchedTensor last_original = channels_last.of(2);
  EXPECT_EQ(tried(floats({1, 3, 2, 3}, a, b).of(0), graph::kNone, {last_original}), "2:permuted ");
  EXPECT_EQ(tried(floats({1, 8, 2, 3}, wave(48, 0.3F), blocked(b)).of(0), 1, {original}),
            "refuted ");
  // 16 channels are no padding of 3.
  EXPECT_EQ(tried(floats({1, 24, 2, 3}, wave(144, 0.7F), wave(144, 1.3F)).of(0), 1, {original}),
            "");
}

TEST(ValueMatch, ProvesNothingByTrivialTensors) {
  const auto a = wave(24, 0.7F), b = wave(24, 1.3F);
  const std::vector<float> zeros(24, 0), close(24, 1000.00001F);
  EXPECT_EQ(tried(floats({24}, zeros, zeros).of(0), 1, {floats({24}, zeros, zeros).of(1)}),
            "trivial ");
  EXPECT_EQ(tried(floats({24}, close, close).of(0), 1, {floats({24}, close, close).of(1)}),
            "trivial ");
  EXPECT_EQ(tried(floats({24}, a, a).of(0), 1, {floats({24}, a, a).of(1)}), "trivial ")
      << "independent of the inputs";
  EXPECT_EQ(tried(floats({4}, {1, 2, 3, 4}, {2, 3, 4, 5}).of(0), 1,
                  {floats({4}, {1, 2, 3, 4}, {2, 3, 4, 5}).of(1)}),
            "trivial ");
  auto infinite = a;
  infinite[3] = INFINITY;
  EXPECT_EQ(tried(floats({24}, infinite, b).of(0), 1, {floats({24}, infinite, b).of(1)}),
            "trivial ");
}

TEST(ValueMatch, ComparesIntegersExactlyAndQuantizedOnesToAStep) {
  std::vector<std::int64_t> n(24), m(24);
  std::vector<std::uint8_t> q(24), r(24);
  for (std::size_t i = 0; i < 24; ++i) {
    n[i] = static_cast<std::int64_t>(i * i);
    m[i] = static_cast<std::int64_t>(i * 7);
    q[i] = static_cast<std::uint8_t>(i * 9);
    r[i] = static_cast<std::uint8_t>(230 - i * 8);
  }
  const auto whole = [&](auto x) { return Values(onnx::DataType::kInt64, {24}).add(x).add(m); };
  const auto bytes = [&](auto x) { return Values(onnx::DataType::kUint8, {24}).add(x).add(r); };
  auto n1 = n;
  ++n1[4];
  auto q1 = q, q2 = q;
  q1[4] += 1;
  q2[4] += 2;
  EXPECT_EQ(tried(whole(n).of(0), 1, {whole(n).of(1)}), "1:order ");
  EXPECT_EQ(tried(whole(n1).of(0), 1, {whole(n).of(1)}), "");
  EXPECT_EQ(tried(bytes(q1).of(0), 1, {bytes(q).of(1)}), "1:order ");
  EXPECT_EQ(tried(bytes(q2).of(0), 1, {bytes(q).of(1)}), "");
  EXPECT_EQ(tried(bytes(q).of(0), 1, {whole(n).of(1)}), "") << "other type";
}

TEST(ValueMatch, ReadsSixteenBitFloats) {
  std::vector<std::uint16_t> a, b;
  for (const float x : wave(24, 0.7F)) a.push_back(onnx::float16_of(x));
  for (const float x : wave(24, 1.3F)) b.push_back(onnx::float16_of(x));
  const auto half = [&](auto x) { return Values(onnx::DataType::kFloat16, {24}).add(x).add(b); };
  auto near = a;
  ++near[5];  // a unit in the last place
  EXPECT_EQ(tried(half(near).of(0), 1, {half(a).of(1)}), "1:order ");
}

// --- attribution with trials ---------------------------------------------------------------------

/// A model, and a graph of two kernels whose names are the runtime's own.
struct Case {
  Case(std::string_view original, std::string_view optimized)
      : run(analysis::testing::resolved(original)) {
    run.copy = must(canonicalise(run.resolved));
    run.graph = must(make_optimized(graph::Sketch::document(optimized)));
  }
  Case& with(std::vector<ValueTrial> trials) {
    CheckedAttribution checked =
        must(attribute(run.resolved, run.copy, run.graph, nullptr, trials));
    run.attribution = std::move(checked.attribution);
    counts = checked.values;
    return *this;
  }
  graph::ValueId original(std::string_view name) const {
    return analysis::testing::value(run.resolved, name);
  }
  graph::ValueId optimized(std::string_view name) const {
    const graph::Model& model = *run.graph.model;
    for (graph::ValueId v = 0; v < model.values().size(); ++v)
      if (model.value(v).name == name) return v;
    return graph::kNone;
  }
  ValueTrial equal(std::string_view tensor, const std::vector<std::string>& originals) const {
    ValueTrial t{.tensor = optimized(tensor), .decisive = true};
    for (const std::string& name : originals) t.equal.push_back({original(name)});
    return t;
  }
  testing::Attributed run;
  ValueCounts counts;
};

constexpr std::string_view kThreeProducts = R"(graph main
  input x[4,8]
  constant u[8,8] v[8,8] w[8,8]
  one: MatMul(x, u) -> a
  two: MatMul(a, v) -> b
  act: Relu(b) -> c
  three: MatMul(c, w) -> y
  output y)";
// By convention each product kernel takes a product, the one at the end of the region the first:
// here that is wrong. The first kernel computes all but `three`.
constexpr std::string_view kTwoKernels = R"(graph main
  input x[4,8]
  constant uv[8,8] w[8,8]
  com.microsoft.FusedMatMul(x, uv) -> t
  com.microsoft.FusedMatMul(t, w) -> y
  output y)";

TEST(ValueTrials, DecideTheDivisionOfARegion) {
  Case c(kThreeProducts, kTwoKernels);
  EXPECT_EQ(c.with({}).run.layers(), "FusedMatMul{two act three} FusedMatMul{one}");
  EXPECT_EQ(c.run.evidence("two"), "region");
  c.with({c.equal("t", {"c"})});
  EXPECT_EQ(c.run.layers(), "FusedMatMul{one two act} FusedMatMul{three}");
  EXPECT_EQ(c.run.evidence("two"), "value");
  EXPECT_EQ(c.run.evidence("three"), "value");
  EXPECT_EQ(c.counts.equal, 1);
}

TEST(ValueTrials, OfAmbiguousOrTrivialTensorsDecideNothing) {
  Case c(kThreeProducts, kTwoKernels);
  c.with({c.equal("t", {"b", "c"})});
  EXPECT_EQ(c.run.layers(), "FusedMatMul{two act three} FusedMatMul{one}");
  EXPECT_EQ(c.run.evidence("two"), "region");
  EXPECT_EQ(c.counts.several, 1);
  ValueTrial trivial = c.equal("t", {"c"});
  trivial.decisive = false;
  c.with({trivial});
  EXPECT_EQ(c.run.evidence("two"), "region");
  EXPECT_EQ(c.counts.trivial, 1);
}

constexpr std::string_view kConvRelu = R"(graph main
  input x[1,8,4,4]
  constant v[8,8,1,1] w[8,8,1,1]
  stem: Conv(x, v) -> a
  mid: Sigmoid(a) -> b
  conv: Conv(b, w) -> y
  output y)";
// The name of the first kernel stands for the tensor of stem.
constexpr std::string_view kBlockedKernels = R"(graph main
  input x[1,8,4,4]
  constant k1[8,8,1,1] k2[8,8,1,1]
  ReorderInput: com.microsoft.nchwc.ReorderInput(x) -> t0
  r0.0_nchwc: com.microsoft.nchwc.Conv(t0, k1) -> t1
  r2.0_nchwc: com.microsoft.nchwc.Conv(t1, k2) -> t2
  ReorderOutput: com.microsoft.nchwc.ReorderOutput(t2) -> y
  output y)";

TEST(ValueTrials, ConfirmNames) {
  Case c(kConvRelu, kBlockedKernels);
  EXPECT_EQ(c.with({}).run.layers(), "ReorderInput{} Conv{stem} Conv{mid conv} ReorderOutput{}");
  EXPECT_EQ(c.run.evidence("stem"), "renamed");
  c.with({c.equal("t0", {"x"}), c.equal("t1", {"a"}), c.equal("t2", {"y"})});
  EXPECT_EQ(c.run.layers(), "ReorderInput{} Conv{stem} Conv{mid conv} ReorderOutput{}");
  EXPECT_EQ(c.run.evidence("stem"), "value");
  EXPECT_EQ(c.counts.corrected, 0);
}

TEST(ValueTrials, CorrectNames) {
  Case c(kConvRelu, kBlockedKernels);
  c.with({c.equal("t1", {"b"})});
  EXPECT_EQ(c.run.layers(), "ReorderInput{} Conv{stem mid} Conv{conv} ReorderOutput{}");
  EXPECT_EQ(c.counts.corrected, 1);
  // A tensor that differs from what its name stands for is no anchor: one region is left.
  ValueTrial refuted = c.equal("t1", {});
  refuted.refuted = true;
  c.with({refuted});
  EXPECT_EQ(c.run.evidence("stem"), "renamed");
  EXPECT_EQ(c.run.evidence("mid"), "region");
  EXPECT_EQ(c.counts.corrected, 1);
}

TEST(ValueTrials, TakeReshapedTensorsForOne) {
  Case c(R"(graph main
  input x[1,4,8]
  constant w[8,8] v[8,8]
  integers two[2]=4,8 three[3]=1,4,8
  one: MatMul(x, w) -> a
  act: Tanh(a) -> b
  flat: Reshape(b, two) -> f
  last: MatMul(f, v) -> y
  output y)",
         R"(graph main
  input x[1,4,8]
  constant w[8,8] v[8,8]
  vendor.Fused(x, w) -> t
  vendor.Fused(t, v) -> y
  output y)");
  // The kernel computes at least the earlier one of tensors that hold the same data.
  c.with({c.equal("t", {"f", "b"})});
  EXPECT_EQ(c.run.layers(), "Fused{one act} Fused{flat last}");
  EXPECT_EQ(c.counts.several, 0);
}

TEST(ValueTrials, TakeTheNodeThatTheKernelIsNamedAfter) {
  Case c(R"(graph main
  input x[1,4,8]
  constant w[8,8]
  integers two[2]=4,8
  act: Tanh(x) -> b
  flat: Reshape(b, two) -> f
  last: MatMul(f, w) -> y
  output y)",
         R"(graph main
  input x[1,4,8]
  constant w[8,8]
  integers s[2]=4,8
  r0: Tanh(x) -> r0.0
  r1_new_reshape: Reshape(r0.0, s) -> t
  vendor.Gemm(t, w) -> y
  output y)");
  c.with({c.equal("t", {"b", "f"})});
  EXPECT_EQ(c.run.layers(), "Tanh{act} Reshape{flat} Gemm{last}");
}

TEST(ValueTrials, OfReorderedTensorsLeaveTheTransposeToItsKernel) {
  Case c(R"(graph main
  input x[1,4,8,2]
  constant w[2]
  scale: Mul(x, w) -> a
  order: Transpose(a) {perm=[0,3,1,2]} -> b
  act: Tanh(b) -> y
  output y)",
         R"(graph main
  input x[1,4,8,2]
  constant k[2,1,1]
  Transpose(x) {perm=[0,3,1,2]} -> t
  Mul(t, k) -> u
  Tanh(u) -> y
  output y)");
  ValueTrial trial = c.equal("t", {"x"});
  trial.equal[0].how = Agreement::kPermuted;
  c.with({trial, c.equal("u", {"b"})});
  EXPECT_EQ(c.run.layers(), "Transpose{order} Mul{scale} Tanh{act}");
  EXPECT_EQ(c.counts.moved, 1);
  EXPECT_EQ(c.counts.equal, 1);
}

}  // namespace
}  // namespace ridge::attribution
