// SPDX-License-Identifier: Apache-2.0
// Past and present in one buffer through the C interface: GroupQueryAttention in ONNX Runtime gives
// the scores that it gives with a cache that is handed over.
#include <gtest/gtest.h>

#include <cmath>
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

/// Two query heads that share one head of keys; `last` and `total` as ONNX Runtime takes them.
constexpr std::string_view kAttention = R"(graph main
    input x[1,s,16] last64:int64[1] total64:int64[] past_key[1,1,p,16] past_value[1,1,p,16]
    Cast(last64) {to=6} -> last
    Cast(total64) {to=6} -> total
    reals half=0.5
    Mul(x, half) -> v
    Concat(x, v) {axis=2} -> q
    com.microsoft.GroupQueryAttention(q, x, v, past_key, past_value, last, total) {num_heads=2 kv_num_heads=1} -> out, key, value
    output out[1,s,32] key[1,1,t,16] value[1,1,t,16])";
constexpr std::int64_t kWidth = 16, kRoom = 12;

struct Attention {
  explicit Attention(const std::string& plugin) : api(*expect_ok(open_plugin(plugin))) {
    const std::string folder = std::filesystem::path(plugin).parent_path().string();
    const char* folders[] = {folder.c_str()};
    RidgeOpenOptions options{};
    options.size = sizeof(options);
    options.threads = 1;
    options.folders = folders;
    options.folder_count = 1;
    EXPECT_EQ(api.open(&options, &runtime, &error), RIDGE_OK) << error.message;
    const std::string bytes = expect_ok(onnx::write_bytes(*graph::Sketch::document(kAttention)));
    RidgeModel model{};
    model.size = sizeof(model);
    model.descriptor = -1;
    model.data = bytes.data();
    model.bytes = bytes.size();
    EXPECT_EQ(api.load(runtime, &model, &session, &error), RIDGE_OK) << error.message;
    EXPECT_EQ(api.open_worker(session, &worker, &error), RIDGE_OK) << error.message;
  }
  ~Attention() {
    api.close_worker(worker);
    api.unload(session);
    api.close(runtime);
  }
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

  /// Runs tokens [first, first + count) and returns their outputs.
  std::vector<float> run(std::int64_t first, std::int64_t count, bool with_past) {
    std::vector<float> x(static_cast<std::size_t>(count * kWidth));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(static_cast<float>(i) + 3.7F * static_cast<float>(first * kWidth));
    const std::int64_t last = first + count - 1, total = first + count;
    const std::int64_t of_x[] = {1, count, kWidth}, one[] = {1}, none[] = {1, 1, 0, kWidth};
    const RidgeTensor rows[] = {
        {sizeof(RidgeTensor), 1, "x", of_x, 3, 0, x.data(), x.size() * sizeof(float)},
        {sizeof(RidgeTensor), 7, "last64", one, 1, 0, &last, sizeof(last)},
        {sizeof(RidgeTensor), 7, "total64", one, 0, 0, &total, sizeof(total)},
        {sizeof(RidgeTensor), 1, "past_key", none, 4, 0, x.data(), 0},
        {sizeof(RidgeTensor), 1, "past_value", none, 4, 0, x.data(), 0}};
    const RidgeTensors inputs = {rows, with_past ? 5U : 3U, sizeof(RidgeTensor)};
    RidgePreparedInput* prepared = nullptr;
    EXPECT_EQ(api.prepare_input(session, &inputs, &prepared, &error), RIDGE_OK) << error.message;
    EXPECT_EQ(api.run_worker(worker, prepared, &error), RIDGE_OK) << error.message;
    api.drop_input(prepared);
    const RidgeTensor out = output("out");
    std::vector<float> values(out.bytes / sizeof(float));
    if (out.data != nullptr) std::memcpy(values.data(), out.data, out.bytes);
    return values;
  }
  RidgeTensor output(std::string_view name) {
    RidgeTensors rows{};
    EXPECT_EQ(api.worker_outputs(worker, &rows, &error), RIDGE_OK) << error.message;
    for (std::uint64_t i = 0; i < rows.count; ++i)
      if (rows.items[i].name == name) return rows.items[i];
    ADD_FAILURE() << "no output " << name;
    return {};
  }

  const RidgeRuntimeApi& api;
  RidgeError error = no_error();
  RidgeRuntime* runtime = nullptr;
  RidgeSession* session = nullptr;
  RidgeWorker* worker = nullptr;
};

constexpr RidgePair kPairs[] = {{sizeof(RidgePair), 0, "key", "past_key"},
                                {sizeof(RidgePair), 0, "value", "past_value"}};

/// A prompt of five tokens, then one after the other up to the buffer's end.
template <typename Before>
std::vector<float> generate_tokens(Attention& model, bool grows, Before before) {
  std::vector<float> out = model.run(0, 5, grows);
  for (std::int64_t at = 5; at < kRoom; ++at) {
    before();
    const std::vector<float> step = model.run(at, 1, false);
    out.insert(out.end(), step.begin(), step.end());
  }
  return out;
}

TEST(SharedBufferSlow, GivesTheScoresOfACacheThatIsHandedOver) {
  const Result<std::string> plugin = find_plugin("ort");
  if (!plugin.ok()) GTEST_SKIP() << "no plug-in ort";
  Attention grown(*plugin);
  const std::vector<float> expected = generate_tokens(grown, true, [&] {
    std::uint64_t copied = 0;
    ASSERT_EQ(grown.api.hand_over(grown.worker, grown.worker, kPairs, 2, sizeof(RidgePair), &copied,
                                  &grown.error),
              RIDGE_OK)
        << grown.error.message;
  });

  Attention shared(*plugin);
  ASSERT_NE(shared.api.capabilities & RIDGE_SHARES_BUFFERS, 0U);
  std::vector<float> key(kRoom * kWidth, 1e6F), value = key;  // what is not written is not read
  const std::int64_t dims[] = {1, 1, kRoom, kWidth};
  const RidgeTensor buffers[] = {
      {sizeof(RidgeTensor), 1, "key", dims, 4, 0, key.data(), key.size() * sizeof(float)},
      {sizeof(RidgeTensor), 1, "value", dims, 4, 0, value.data(), value.size() * sizeof(float)}};
  const RidgeTensors view = {buffers, 2, sizeof(RidgeTensor)};
  ASSERT_EQ(
      shared.api.share_buffers(shared.worker, &view, kPairs, sizeof(RidgePair), &shared.error),
      RIDGE_OK)
      << shared.error.message;
  const std::vector<float> scores = generate_tokens(shared, false, [] {});
  ASSERT_EQ(scores.size(), expected.size());
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(scores[i], expected[i], 1e-5) << i;
  EXPECT_EQ(shared.output("key").data, key.data());
  EXPECT_EQ(shared.output("key").dims[2], kRoom);
  for (const float written : key) EXPECT_LE(std::abs(written), 1);

  const RidgePair wrong = {sizeof(RidgePair), 0, "keys", "past_key"};
  const RidgeTensors first = {buffers, 1, sizeof(RidgeTensor)};
  EXPECT_EQ(
      shared.api.share_buffers(shared.worker, &first, &wrong, sizeof(RidgePair), &shared.error),
      RIDGE_USAGE);
  EXPECT_STREQ(shared.error.message, "there is no output 'keys' to share a buffer with an input");
}

}  // namespace
}  // namespace ridge::runtime
