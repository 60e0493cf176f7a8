// SPDX-License-Identifier: Apache-2.0
#include "runtime/plugin_calls.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace ridge::runtime {
namespace {

/// Session whose runs do as the test says.
struct FakeSession {
  std::function<Result<void>()> on_run;

  static RidgeGraph graph() { return {.size = sizeof(RidgeGraph), .layer_count = 3}; }
  static Result<void> set_inputs(const RidgeTensors&) { return {}; }
  Result<void> run() const { return on_run(); }
  static Result<void> run_async(RidgeDone, void*) { return {}; }
  static Result<RidgeTensors> outputs() { return RidgeTensors{nullptr, 2, 0}; }
  static Result<void> profile(const RidgeProfileSink*) { return {}; }
  static Result<void> facts(const RidgeFactSink& sink) {
    sink.fact(sink.context, nullptr);
    return {};
  }
  static void cancel() {}
};

}  // namespace
}  // namespace ridge::runtime

struct RidgeRuntime {
  std::uint32_t threads = 0;
};
struct RidgeSession {
  std::unique_ptr<ridge::runtime::FakeSession> session;
};

namespace ridge::runtime {
namespace {

struct Plugin {
  static constexpr char kName[] = "fake";
  static constexpr std::uint64_t kCapabilities = RIDGE_CAN_PROFILE;
  static constexpr OutcomeCodes kOutcomes{"TEST-0001", "TEST-0002"};

  static Result<std::unique_ptr<RidgeRuntime>> open(const RidgeOpenOptions& options) {
    if (options.threads == 0) return usage_error("TEST-0003", "no threads").hint("one or more");
    auto opened = std::make_unique<RidgeRuntime>();
    opened->threads = options.threads;
    return opened;
  }
  static RidgeInfo info(const RidgeRuntime&) { return {.size = sizeof(RidgeInfo), .name = "Fake"}; }
  static Result<std::unique_ptr<FakeSession>> load(RidgeRuntime&, const RidgeModel&) {
    return std::make_unique<FakeSession>();
  }
  static Error caught() { return caught_error(kOutcomes, "plug-in 'fake'"); }
};

const RidgeRuntimeApi& api() { return *PluginCalls<Plugin>::table(RIDGE_RUNTIME_ABI); }

RidgeError without_error() {
  RidgeError error{};
  error.size = sizeof(error);
  return error;
}

/// Status and "code: message" of a run that does `body`.
std::pair<RidgeStatus, std::string> run(const std::function<Result<void>()>& body) {
  RidgeSession session{std::make_unique<FakeSession>()};
  session.session->on_run = body;
  RidgeError error = without_error();
  const RidgeStatus status = api().run(&session, &error);
  return {status, std::string(error.code) + ": " + error.message};
}

using Outcome = std::pair<RidgeStatus, std::string>;

TEST(PluginCalls, ResultsBecomeStatuses) {
  EXPECT_EQ(run([] { return Result<void>(); }), Outcome(RIDGE_OK, ": "));
  EXPECT_EQ(run([]() -> Result<void> { return input_error("TEST-0004", "no"); }),
            Outcome(RIDGE_INPUT, "TEST-0004: no"));
  EXPECT_EQ(run([]() -> Result<void> { return environment_error("TEST-0002", "stop"); }),
            Outcome(RIDGE_CANCELLED, "TEST-0002: stop"));
}

TEST(PluginCalls, NoExceptionLeavesThePlugin) {
  EXPECT_EQ(run([]() -> Result<void> { throw std::bad_alloc(); }),
            Outcome(RIDGE_MEMORY, "TEST-0001: the runtime plug-in ran out of memory"));
  EXPECT_EQ(run([]() -> Result<void> { throw std::runtime_error("a slip"); }),
            Outcome(RIDGE_BUG, "RIDGE-BUG-0001: plug-in 'fake': a slip"));
  EXPECT_EQ(run([]() -> Result<void> { throw 7; }),
            Outcome(RIDGE_BUG, "RIDGE-BUG-0001: plug-in 'fake': an exception of an unknown type"));
}

TEST(PluginCalls, HandArgumentsOnAndFillTheCallersStructs) {
  RidgeOpenOptions options{.size = sizeof(RidgeOpenOptions)};
  RidgeRuntime* runtime = nullptr;
  RidgeError error = without_error();
  EXPECT_EQ(api().open(&options, &runtime, &error), RIDGE_USAGE);
  EXPECT_EQ(std::string(error.hint), "one or more");
  options.threads = 4;
  ASSERT_EQ(api().open(&options, &runtime, &error), RIDGE_OK);
  EXPECT_EQ(runtime->threads, 4U);

  RidgeInfo info{.size = sizeof(RidgeInfo)};
  EXPECT_EQ(api().info(runtime, &info, &error), RIDGE_OK);
  EXPECT_EQ(std::string(info.name), "Fake");
  const RidgeModel model{.size = sizeof(RidgeModel)};
  RidgeSession* session = nullptr;
  ASSERT_EQ(api().load(runtime, &model, &session, &error), RIDGE_OK);
  RidgeGraph graph{.size = sizeof(RidgeGraph)};
  EXPECT_EQ(api().graph(session, &graph, &error), RIDGE_OK);
  EXPECT_EQ(graph.layer_count, 3U);
  RidgeTensors outputs{};
  EXPECT_EQ(api().outputs(session, &outputs, &error), RIDGE_OK);
  EXPECT_EQ(outputs.count, 2U);
  int facts = 0;
  const RidgeFactSink sink{sizeof(RidgeFactSink), 0, &facts,
                           [](void* context, const RidgeFact*) { ++*static_cast<int*>(context); }};
  EXPECT_EQ(api().facts(session, &sink, &error), RIDGE_OK);
  EXPECT_EQ(facts, 1);
  api().unload(session);
  api().close(runtime);
}

TEST(PluginCalls, AreOfOneVersionOfTheInterface) {
  EXPECT_EQ(PluginCalls<Plugin>::table(RIDGE_RUNTIME_ABI + 1), nullptr);
  EXPECT_EQ(std::string(api().name), "fake");
  EXPECT_EQ(api().capabilities, std::uint64_t{RIDGE_CAN_PROFILE});
}

}  // namespace
}  // namespace ridge::runtime
