// SPDX-License-Identifier: Apache-2.0
// Models prepared by a real ONNX Runtime: what a later load of them computes, and where their
// weights lie.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "runtime/runtime.h"
#include "runtime/testing/child_status.h"
#include "runtime/testing/detached.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/kept_model.h"
#include "runtime/testing/models.h"
#include "zoo/zoo.h"

namespace ridge::runtime {
namespace {

using testing::Detached;
using testing::KeptModel;

std::string outputs_of(const LoadRequest& request, const Options& options = {}) {
  Runtime runtime = expect_ok(Runtime::spawn(options));
  const Loaded loaded = expect_ok(runtime.load(request));
  return testing::output_bytes(runtime, loaded);
}

void expect_close(const std::string& one, const std::string& other) {
  ASSERT_EQ(one.size(), other.size());
  std::vector<float> a(one.size() / sizeof(float)), b(a.size());
  std::memcpy(a.data(), one.data(), a.size() * sizeof(float));
  std::memcpy(b.data(), other.data(), b.size() * sizeof(float));
  float scale = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    scale = std::max(scale, std::abs(a[i]));
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(scale, 0);
  EXPECT_LE(apart, 1e-4F * scale);
}

TEST(OrtPrepared, ComputesTheSameBits) {
  const Detached model(conv_net());
  const KeptModel kept = testing::prepared_by({}, model);
  ASSERT_FALSE(kept.weights.empty());
  const std::string expected = outputs_of(model.request());
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(outputs_of(kept.request(Form::kPrepared)) == expected);
  expect_close(outputs_of(kept.request(Form::kUnpacked)), expected);
}

class OrtPreparedSlow : public ::testing::TestWithParam<std::tuple<const char*, std::uint32_t>> {};

TEST_P(OrtPreparedSlow, NetworksComputeTheSameBits) {
  const auto [network, threads] = GetParam();
  const Options options{.threads = threads};
  const Detached model(expect_ok(zoo::make(network)));
  const KeptModel kept = testing::prepared_by(options, model);
  const std::string expected = outputs_of(model.request(), options);
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(outputs_of(kept.request(Form::kPrepared), options) == expected);
  expect_close(outputs_of(kept.request(Form::kUnpacked), options), expected);
}

INSTANTIATE_TEST_SUITE_P(Networks, OrtPreparedSlow,
                         ::testing::Combine(::testing::Values("resnet18", "mobilenet_v2", "swin_t"),
                                            ::testing::Values(1U, 2U)));

/// ONNX Runtime does not pack the weight of product(), a left factor.
TEST(OrtPrepared, WeightsAreUsedWhereTheyLie) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  constexpr std::int64_t kSide = 4096, kWeightKiB = kSide * kSide * 4 / 1024;
  const auto anonymous = [](const LoadRequest& request) {
    Options options;
    options.memory_folder = "";
    Runtime runtime = expect_ok(Runtime::spawn(options));
    const Loaded loaded = expect_ok(runtime.load(request));
    (void)testing::output_bytes(runtime, loaded);
    return testing::status_of_child().memory.anonymous;
  };
  const Detached model(product(kSide));
  const KeptModel kept = testing::prepared_by({}, model);
  EXPECT_EQ(kept.bytes, kWeightKiB * 1024);
  const std::int64_t bare = anonymous(Detached(product(64)).request());
  EXPECT_GT(anonymous(model.request()), bare + kWeightKiB);  // copied where it is in memory
  EXPECT_LT(anonymous(kept.request(Form::kPrepared)), bare + kWeightKiB / 8);
  EXPECT_LT(anonymous(kept.request(Form::kUnpacked)), bare + kWeightKiB / 8);
}

TEST(OrtPrepared, EachLevelOfOptimizationIsKept) {
  const Detached model(conv_net());
  for (const Optimization level :
       {Optimization::kDisable, Optimization::kBasic, Optimization::kExtended}) {
    const Options options{.optimization = level};
    const KeptModel kept = testing::prepared_by(options, model);
    EXPECT_TRUE(outputs_of(kept.request(Form::kPrepared), options) ==
                outputs_of(model.request(), options))
        << static_cast<int>(level);
  }
}

TEST(OrtPrepared, ManyModelsOneAfterTheOtherInOneProcess) {
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const Detached first(conv_net()), second(product(64));
  const Prepared a = expect_ok(runtime.prepare(first.request()));
  const Prepared b = expect_ok(runtime.prepare(second.request()));
  const KeptModel kept = expect_ok(testing::keep(a));
  const Loaded loaded = expect_ok(runtime.load(kept.request(Form::kPrepared)));
  EXPECT_TRUE(testing::output_bytes(runtime, loaded) == outputs_of(first.request()));
  EXPECT_NE(a.model, b.model);
}

/// The oracle is the dump of an ordinary load.
TEST(OrtPrepared, IsWhatALoadWouldRun) {
  const Detached model(conv_net());
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const KeptModel kept = expect_ok(testing::keep(expect_ok(runtime.prepare(model.request()))));
  LoadRequest again = kept.request(Form::kPrepared);
  again.dump = Dump::kStructure;
  const auto nodes = [&](const LoadRequest& request) {
    const Loaded loaded = expect_ok(runtime.load(request));
    const onnx::Document dump = expect_ok(onnx::read_bytes(loaded.graph.model, "dump"));
    std::vector<std::string> names;
    for (const onnx::Node& node : dump.model.graph.nodes)
      names.push_back(std::string(node.op_type) + " " + std::string(node.name));
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(nodes(again), nodes(model.request(Dump::kStructure)));
}

TEST(OrtPrepared, WeightsOfBodiesStayInTheModelOrAreRefusedByName) {
  Runtime runtime = expect_ok(Runtime::spawn({}));
  EXPECT_TRUE(runtime.prepare(Detached(branching(16)).request()).ok());
  const Result<Prepared> large = runtime.prepare(Detached(branching(64)).request());
  if (!large.ok()) {
    EXPECT_EQ(large.error().code(), "RIDGE-ORT-0043") << large.error().text();
  }
}

TEST(OrtPrepared, AModelThatIsRefusedIsRefusedInTheSameWords) {
  Detached model(product(64));
  const std::size_t at = model.bytes.find("MatMul");
  ASSERT_NE(at, std::string::npos);
  model.bytes.replace(at, 6, "MatNil");
  Runtime runtime = expect_ok(Runtime::spawn({}));
  EXPECT_EQ(runtime.prepare(model.request()).error().text(),
            runtime.load(model.request()).error().text());
}

TEST(OrtPrepared, AnElementThatIsMissingIsAnError) {
  const Detached model(conv_net());
  KeptModel kept = testing::prepared_by({}, model);
  kept.weights.pop_back();
  Runtime runtime = expect_ok(Runtime::spawn({}));
  const Result<Loaded> loaded = runtime.load(kept.request(Form::kPrepared));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), "RIDGE-ORT-0020");
}

}  // namespace
}  // namespace ridge::runtime
