// SPDX-License-Identifier: Apache-2.0
// Batches from samples, against loops over single elements; and in the null runtime, whose output
// is its input.
#include "runtime/child/batches.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "runtime/child/plugin.h"
#include "runtime/inputs/batch_axis.h"
#include "runtime/paths.h"
#include "runtime/testing/expect.h"
#include "stats/random.h"

namespace ridge::runtime {
namespace {

InputTensor input(std::vector<std::int64_t> dims) {
  InputTensor out{.name = "x", .dims = std::move(dims)};
  out.bytes =
      4 * std::accumulate(out.dims.begin(), out.dims.end(), std::int64_t{1}, std::multiplies<>());
  return out;
}

TEST(BatchAxis, IsTheOneThatGrowsWithTheBatch) {
  const auto axis = [](const InputTensor& one, const InputTensor& batch) {
    return batch_axis(one, batch, 4);
  };
  EXPECT_EQ(axis(input({1, 3, 5}), input({4, 3, 5})), 0U);
  EXPECT_EQ(axis(input({2, 3}), input({2, 12})), 1U);
  EXPECT_FALSE(axis(input({1, 3}), input({1, 3})));
  EXPECT_FALSE(axis(input({1, 3}), input({4, 12})));
  EXPECT_FALSE(axis(input({1, 3}), input({8, 3})));
  EXPECT_FALSE(axis(input({1, 3}), input({4, 3, 1})));
}

TEST(GatherRows, EqualsALoopOverElements) {
  stats::Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t outer = 1 + random.below(4), inner = random.below(6);
    const auto size = static_cast<std::uint32_t>(1 + random.below(5));
    const std::size_t given = 1 + random.below(size);
    std::vector<std::vector<std::byte>> samples(given, std::vector<std::byte>(outer * inner));
    std::vector<std::span<const std::byte>> views;
    for (auto& sample : samples) {
      for (std::byte& b : sample) b = static_cast<std::byte>(random.below(256));
      views.emplace_back(sample);
    }
    std::vector<std::byte> got(outer * inner * size), expected;
    gather_rows(views, outer, size, got);
    for (std::size_t o = 0; o < outer; ++o)
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; k < inner; ++k)
          expected.push_back(samples[i < given ? i : given - 1][o * inner + k]);
    ASSERT_EQ(got, expected) << round;
  }
}

/// Two samples of [1, 3] in memory, and a session for batches of 4.
struct Batches {
  explicit Batches(const char* plugin) : api(*expect_ok(open_plugin(*find_plugin(plugin)))) {
    RidgeOpenOptions options{};
    options.size = sizeof(options);
    RidgeModel model{};
    model.size = sizeof(model);
    RidgeError error = no_error();
    EXPECT_EQ(api.open(&options, &runtime, &error), RIDGE_OK);
    EXPECT_EQ(api.load(runtime, &model, &of.session, &error), RIDGE_OK);
    InputTensor one = input({1, 3}), other = one;
    other.offset = one.bytes;
    sets = {{one}, {other}};
  }
  ~Batches() {
    api.unload(of.session);
    api.close(runtime);
  }
  Result<std::unique_ptr<BatchWorker>> open(bool workers) {
    return BatchWorker::open({&api, workers}, of, {sets, std::as_bytes(std::span(elements))});
  }

  const RidgeRuntimeApi& api;
  RidgeRuntime* runtime = nullptr;
  BatchSession of{.size = 4, .session = nullptr, .inputs = {input({4, 3})}};
  std::vector<float> elements = {1, 2, 3, 4, 5, 6};
  std::vector<std::vector<InputTensor>> sets;
};

TEST(BatchWorker, RunsOnTheSamplesThatAQueryAsksFor) {
  for (const bool workers : {true, false}) {
    Batches batches("null");
    const auto worker = expect_ok(batches.open(workers));
    for (const auto& [prepared_inputs, expected] :
         std::vector<std::pair<std::vector<std::uint32_t>, std::vector<float>>>{
             {{1, 0, 0, 1}, {4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6}},
             {{0, 1}, {1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6}}}) {
      ASSERT_TRUE(worker->run(prepared_inputs).ok());
      const RidgeTensors outputs = expect_ok(worker->outputs());
      ASSERT_EQ(outputs.items[0].bytes, 48U);
      std::vector<float> got(12);
      std::memcpy(got.data(), outputs.items[0].data, 48);
      EXPECT_EQ(got, expected);
    }
  }
}

TEST(BatchWorker, RefusesSamplesThatDoNotMakeABatch) {
  Batches batches("null");
  batches.sets[1][0].offset = 16;  // beyond the memory
  EXPECT_EQ(batches.open(true).error().message(), "a batch is not made of samples");
  batches.sets[1][0].offset = 0;
  batches.of.inputs[0] = input({4, 4});
  EXPECT_EQ(batches.open(true).error().message(), "a batch is not made of samples");
  batches.of.inputs.clear();
  EXPECT_EQ(batches.open(true).error().message(), "a batch has other inputs");
}

}  // namespace
}  // namespace ridge::runtime
