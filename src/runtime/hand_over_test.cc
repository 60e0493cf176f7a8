// SPDX-License-Identifier: Apache-2.0
// Outputs that become inputs of the next run through the C interface, in each runtime that can: the
// address that a run writes is the one that the next run reads.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "graph/sketch.h"
#include "onnx/writer.h"
#include "runtime/child/plugin.h"
#include "runtime/paths.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

/// Appends x to the numbers so far, and sums them.
constexpr std::string_view kAppend = R"(graph main
    input x[1,1] past[1,p]
    Concat(past, x) {axis=1} -> present
    ReduceSum(present) {keepdims=0} -> sum
    output sum present[1,q])";

/// The model in a runtime, through its plug-in in this process.
class Append {
 public:
  explicit Append(const std::string& plugin) : api(*expect_ok(open_plugin(plugin))) {
    const std::string folder = std::filesystem::path(plugin).parent_path().string();
    const char* folders[] = {folder.c_str()};
    RidgeOpenOptions options{};
    options.size = sizeof(options);
    options.threads = 1;
    options.folders = folders;
    options.folder_count = 1;
    EXPECT_EQ(api.open(&options, &runtime_, &error), RIDGE_OK) << error.message;
    const std::string bytes = expect_ok(onnx::write_bytes(*graph::Sketch::document(kAppend)));
    RidgeModel model{};
    model.size = sizeof(model);
    model.descriptor = -1;
    model.data = bytes.data();
    model.bytes = bytes.size();
    EXPECT_EQ(api.load(runtime_, &model, &session, &error), RIDGE_OK) << error.message;
  }
  ~Append() {
    for (RidgeWorker* worker : workers_) api.close_worker(worker);
    for (RidgePreparedInput* prepared : prepared_inputs_) api.drop_input(prepared);
    api.unload(session);
    api.close(runtime_);
  }
  Append(const Append&) = delete;
  Append& operator=(const Append&) = delete;

  RidgeWorker* worker() {
    EXPECT_EQ(api.open_worker(session, &workers_.emplace_back(), &error), RIDGE_OK)
        << error.message;
    return workers_.back();
  }
  /// Inputs with x, and without `past` unless it is the first run.
  RidgePreparedInput* prepared(const float& x, bool first) {
    static const std::int64_t one[] = {1, 1}, none[] = {1, 0};
    const RidgeTensor rows[] = {{sizeof(RidgeTensor), 1, "x", one, 2, 0, &x, sizeof(x)},
                                {sizeof(RidgeTensor), 1, "past", none, 2, 0, &x, 0}};
    const RidgeTensors inputs = {rows, first ? 2U : 1U, sizeof(RidgeTensor)};
    EXPECT_EQ(api.prepare_input(session, &inputs, &prepared_inputs_.emplace_back(), &error),
              RIDGE_OK)
        << error.message;
    return prepared_inputs_.back();
  }
  void run(RidgeWorker* worker, RidgePreparedInput* prepared) {
    ASSERT_EQ(api.run_worker(worker, prepared, &error), RIDGE_OK) << error.message;
  }
  RidgeTensor output(RidgeWorker* worker, std::string_view name) {
    RidgeTensors rows{};
    EXPECT_EQ(api.worker_outputs(worker, &rows, &error), RIDGE_OK) << error.message;
    for (std::uint64_t i = 0; i < rows.count; ++i)
      if (rows.items[i].name == name) return rows.items[i];
    ADD_FAILURE() << "no output " << name;
    return {};
  }
  float sum(RidgeWorker* worker) {
    float out = 0;
    const RidgeTensor sums = output(worker, "sum");
    if (sums.data != nullptr) std::memcpy(&out, sums.data, sizeof(out));
    return out;
  }
  RidgeStatus hand_over(RidgeWorker* from, RidgeWorker* to, const char* out, const char* in) {
    const RidgePair pair = {sizeof(RidgePair), 0, out, in};
    return api.hand_over(from, to, &pair, 1, sizeof(pair), &copied_bytes, &error);
  }

  const RidgeRuntimeApi& api;
  RidgeError error = no_error();
  RidgeSession* session = nullptr;
  std::uint64_t copied_bytes = 99;

 private:
  RidgeRuntime* runtime_ = nullptr;
  std::vector<RidgeWorker*> workers_;
  std::vector<RidgePreparedInput*> prepared_inputs_;
};

class HandOverSlow : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const Result<std::string> found = find_plugin(GetParam());
    if (!found.ok()) GTEST_SKIP() << "no plug-in " << GetParam();
    plugin_ = *found;
  }
  std::string plugin_;
};

TEST_P(HandOverSlow, GivesTheNextRunTheMemoryThatTheLastOneWrote) {
  Append model(plugin_);
  RidgeWorker* const worker = model.worker();
  const float numbers[] = {1, 20, 300, 4000, 50'000};
  float expected = 0;
  for (const float& x : numbers) {
    model.run(worker, model.prepared(x, &x == numbers));
    expected += x;
    EXPECT_EQ(model.sum(worker), expected);
    const RidgeTensor present = model.output(worker, "present");
    ASSERT_EQ(present.rank, 2U);
    EXPECT_EQ(present.dims[1], &x - numbers + 1);
    ASSERT_EQ(model.hand_over(worker, worker, "present", "past"), RIDGE_OK) << model.error.message;
    EXPECT_EQ(model.copied_bytes, 0U);
    RidgeTensors given{};
    ASSERT_EQ(model.api.worker_inputs(worker, &given, &model.error), RIDGE_OK);
    ASSERT_EQ(given.count, 1U);
    EXPECT_STREQ(given.items[0].name, "past");
    EXPECT_EQ(given.items[0].data, present.data);
    EXPECT_EQ(given.items[0].bytes, static_cast<std::uint64_t>(&x - numbers + 1) * sizeof(float));
  }
  // Without what it was handed over, a run has its prepared input alone.
  std::uint64_t copied = 0;
  ASSERT_EQ(
      model.api.hand_over(worker, worker, nullptr, 0, sizeof(RidgePair), &copied, &model.error),
      RIDGE_OK);
  model.run(worker, model.prepared(numbers[1], true));
  EXPECT_EQ(model.sum(worker), 20);
}

TEST_P(HandOverSlow, ContinuesInAnotherWorker) {
  Append model(plugin_);
  RidgeWorker* const first = model.worker();
  RidgeWorker* const second = model.worker();
  const float x = 3;
  model.run(first, model.prepared(x, true));
  const void* const written = model.output(first, "present").data;
  ASSERT_EQ(model.hand_over(first, second, "present", "past"), RIDGE_OK) << model.error.message;
  RidgeTensors given{};
  ASSERT_EQ(model.api.worker_inputs(second, &given, &model.error), RIDGE_OK);
  EXPECT_EQ(given.items[0].data, written);
  RidgePreparedInput* const next = model.prepared(x, false);
  for (int i = 0; i < 2; ++i) {  // what it was given stays
    model.run(second, next);
    EXPECT_EQ(model.sum(second), 6);
  }
  EXPECT_EQ(model.sum(first), 3);
}

TEST_P(HandOverSlow, NamesWhatDoesNotExist) {
  Append model(plugin_);
  RidgeWorker* const worker = model.worker();
  const float x = 3;
  model.run(worker, model.prepared(x, true));
  EXPECT_EQ(model.hand_over(worker, worker, "cache", "past"), RIDGE_USAGE);
  EXPECT_STREQ(model.error.message, "the last run has no output 'cache' to hand over");
  EXPECT_EQ(model.hand_over(worker, worker, "present", "cache"), RIDGE_USAGE);
  EXPECT_STREQ(model.error.message, "there is no input 'cache' to hand an output over to");
}

INSTANTIATE_TEST_SUITE_P(Runtimes, HandOverSlow, ::testing::Values("ort", "openvino"),
                         [](const auto& runtime) { return std::string(runtime.param); });

}  // namespace
}  // namespace ridge::runtime
