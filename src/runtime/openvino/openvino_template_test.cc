// SPDX-License-Identifier: Apache-2.0
// Copies of a process with a model loaded in a real OpenVINO; skipped where it is not installed.
#include <gtest/gtest.h>

#include <optional>

#include "runtime/paths.h"
#include "runtime/runtime.h"
#include "runtime/template.h"
#include "runtime/testing/detached.h"
#include "runtime/testing/expect.h"
#include "runtime/testing/kept_model.h"
#include "runtime/testing/models.h"
#include "zoo/zoo.h"

namespace ridge::runtime {
namespace {

using testing::Detached;

std::optional<Options> openvino() {
  const Result<std::string> plugin = find_plugin("openvino");
  if (!plugin.ok()) return std::nullopt;
  Options options{.plugin = *plugin};
  if (!Runtime::spawn(options).ok()) return std::nullopt;
  return options;
}

class OpenvinoTemplateSlow : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::optional<Options> found = openvino();
    if (!found) GTEST_SKIP() << "OpenVINO is not installed";
    options_ = *found;
  }
  Options options_;
};

TEST_F(OpenvinoTemplateSlow, CopiesComputeTheSameBits) {
  for (const char* network : {"", "mobilenet_v2"}) {
    const Detached model(network[0] == '\0' ? conv_net() : expect_ok(zoo::make(network)));
    Runtime own = expect_ok(Runtime::spawn(options_));
    const Loaded loaded_here = expect_ok(own.load(model.request()));
    const std::string expected = testing::output_bytes(own, loaded_here);
    ASSERT_FALSE(expected.empty());
    Template made = expect_ok(Template::start(options_, model.request()));
    for (int i = 0; i < 2; ++i) {
      auto [runtime, loaded] = expect_ok(Runtime::adopt(options_, expect_ok(made.fork())));
      EXPECT_TRUE(testing::output_bytes(runtime, loaded) == expected) << network;
      expect_ok(runtime.unload(loaded.session));
    }
  }
}

TEST_F(OpenvinoTemplateSlow, CopiesAreMeasuredAndProfiled) {
  const Detached model(conv_net());
  Template made = expect_ok(Template::start(options_, model.request()));
  auto [runtime, loaded] = expect_ok(Runtime::adopt(options_, expect_ok(made.fork())));
  const Inputs inputs = testing::inputs_for(loaded);
  expect_ok(runtime.set_inputs(loaded.session, inputs));
  const Measurement m = expect_ok(
      runtime.measure(loaded.session, {.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3}));
  EXPECT_FALSE(m.failure.has_value());
  EXPECT_EQ(m.profiled.size(), 3U);
  // Another model of its own.
  const Loaded other = expect_ok(runtime.load(model.request()));
  EXPECT_FALSE(testing::output_bytes(runtime, other).empty());
}

TEST_F(OpenvinoTemplateSlow, MoreThreadsAreRefusedByName) {
  const Detached model(conv_net());
  options_.threads = 2;
  EXPECT_EQ(Template::start(options_, model.request()).error().text(),
            "error: a process of OpenVINO with 2 threads cannot be copied: the copy would lack its "
            "threads\n"
            "  hint: --threads 1, or load the model in each process\n"
            "  [RIDGE-OV-0032]\n");
  options_.threads = 1;
  options_.entries = {{"NUM_STREAMS", "2"}};
  EXPECT_EQ(Template::start(options_, model.request()).error().code(), "RIDGE-OV-0032");
}

TEST_F(OpenvinoTemplateSlow, PreparedModelsComputeTheSameBits) {
  for (const std::uint32_t threads : {1U, 2U}) {
    options_.threads = threads;
    const Detached model(conv_net());
    Runtime runtime = expect_ok(Runtime::spawn(options_));
    const Loaded loaded = expect_ok(runtime.load(model.request()));
    const std::string expected = testing::output_bytes(runtime, loaded);
    const testing::KeptModel kept =
        expect_ok(testing::keep(expect_ok(runtime.prepare(model.request()))));
    Runtime other = expect_ok(Runtime::spawn(options_));
    const Loaded again = expect_ok(other.load(kept.request(Form::kPrepared)));
    EXPECT_TRUE(testing::output_bytes(other, again) == expected) << threads;
    // Layers, with the nodes that they stand for, and their times, are those of the model.
    ASSERT_EQ(again.graph.layers.size(), loaded.graph.layers.size());
    for (std::size_t i = 0; i < again.graph.layers.size(); ++i) {
      EXPECT_EQ(again.graph.layers[i].name, loaded.graph.layers[i].name);
      EXPECT_EQ(again.graph.layers[i].originals, loaded.graph.layers[i].originals);
    }
    const Measurement m = expect_ok(
        other.measure(again.session, {.warmup_runs = 1, .min_rounds = 3, .max_rounds = 3}));
    EXPECT_FALSE(m.failure.has_value());
    EXPECT_EQ(m.profiled.size(), 3U);
    if (threads > 1) continue;
    Template made = expect_ok(Template::start(options_, kept.request(Form::kPrepared)));
    auto [copy, of_copy] = expect_ok(Runtime::adopt(options_, expect_ok(made.fork())));
    EXPECT_TRUE(testing::output_bytes(copy, of_copy) == expected);
  }
}

TEST_F(OpenvinoTemplateSlow, WhatItDidNotPrepareIsRefused) {
  Runtime runtime = expect_ok(Runtime::spawn(options_));
  const Detached model(conv_net());
  LoadRequest request = model.request();
  request.form = Form::kPrepared;
  EXPECT_EQ(runtime.load(request).error().text(),
            "error: the model is none that OpenVINO prepared\n"
            "  hint: prepare it again with this version of ridge\n"
            "  [RIDGE-OV-0034]\n");
}

}  // namespace
}  // namespace ridge::runtime
