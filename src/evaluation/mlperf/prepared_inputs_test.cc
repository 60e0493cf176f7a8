// SPDX-License-Identifier: Apache-2.0
// Sets of inputs for tests of LoadGen: what each query would run is compared with its samples, byte
// for byte.
#include "evaluation/mlperf/prepared_inputs.h"

#include <gtest/gtest.h>

#include "attribution/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using runtime::InputTensor;

/// Samples of two inputs, of three bytes and of one, in batches: all bytes of sample i are i.
runtime::Samples numbered(std::uint32_t sets, std::int64_t batch) {
  runtime::Samples out;
  const auto stride = static_cast<std::size_t>(128 * batch);
  out.memory = must(ipc::SharedMemory::make(sets * stride));
  const auto u8 = onnx::DataType::kUint8;
  for (std::uint32_t set = 0; set < sets; ++set) {
    const auto at = static_cast<std::int64_t>(set * stride);
    out.sets.push_back({{"a", u8, {batch, 3}, at, 3 * batch, RIDGE_TENSOR, {}},
                        {"b", u8, {batch}, at + 64 * batch, batch, RIDGE_TENSOR, {}}});
    for (std::int64_t i = 0; i < batch; ++i) {
      const auto value = static_cast<std::byte>(set * batch + i);
      for (std::int64_t k = 0; k < 3; ++k)
        out.memory.bytes()[static_cast<std::size_t>(at + 3 * i + k)] = value;
      out.memory.bytes()[static_cast<std::size_t>(at + 64 * batch + i)] = value;
    }
  }
  return out;
}

/// Samples that a query runs, read from the sets' memory.
std::vector<std::uint32_t> run_by(const MlperfInputs& prepared_inputs, const BatchedSamples& given,
                                  std::size_t query) {
  std::vector<std::uint32_t> out;
  const std::span<const std::byte> memory = prepared_inputs.memory(given).bytes();
  for (std::uint32_t run = 0; run < prepared_inputs.runs(); ++run)
    for (const std::vector<InputTensor>& set =
             prepared_inputs.sets().at(prepared_inputs.first().at(query) + run);
         const InputTensor& tensor : set) {
      const std::size_t row = tensor.name == "a" ? 3 : 1;
      for (std::size_t i = 0; i < given.batch; ++i) {
        const std::byte value = memory[static_cast<std::size_t>(tensor.offset) + i * row];
        if (row == 3) out.push_back(std::to_integer<std::uint32_t>(value));
        const std::size_t at = out.size() - given.batch + i;
        EXPECT_EQ(out[row == 3 ? out.size() - 1 : at], std::to_integer<std::uint32_t>(value));
      }
    }
  return out;
}

void expect_order(std::uint32_t sets, std::int64_t batch, std::uint64_t per_query,
                  const std::vector<std::uint32_t>& order, std::size_t distinct_sets) {
  const runtime::Samples samples = numbered(sets, batch);
  const BatchedSamples given{.samples = &samples, .batch = static_cast<std::uint64_t>(batch)};
  const MlperfInputs prepared_inputs = must(MlperfInputs::make(given, order, per_query));
  EXPECT_EQ(prepared_inputs.sets().size(), distinct_sets);
  ASSERT_EQ(prepared_inputs.first().size(), (order.size() + per_query - 1) / per_query);
  for (std::size_t q = 0; q < prepared_inputs.first().size(); ++q) {
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < per_query; ++i)
      expected.push_back(order[(q * per_query + i) % order.size()]);
    EXPECT_EQ(run_by(prepared_inputs, given, q), expected) << q;
    EXPECT_EQ(prepared_inputs.sample_of(prepared_inputs.first()[q]), expected[0]) << q;
  }
}

TEST(MlperfInputs, SinglesAreTheSetsThatAreThere) { expect_order(4, 1, 1, {2, 0, 0, 3, 1, 2}, 4); }

TEST(MlperfInputs, QueriesOfSeveralSamplesShareSetsWhereTheyAreTheSame) {
  expect_order(5, 1, 2, {3, 4, 1, 2, 3, 4, 3, 1}, 6);
}

TEST(MlperfInputs, BatchesConsistOfTheSamplesOfTheOrder) {
  expect_order(3, 2, 2, {5, 0, 1, 2, 5, 0, 5, 1}, 3);
  expect_order(3, 2, 4, {5, 0, 1, 2, 4, 4, 3, 3}, 4);
}

TEST(MlperfInputs, TheLastBatchIsFilledUp) { expect_order(2, 3, 3, {5, 4, 3, 2, 1}, 2); }

TEST(MlperfInputs, RefusesQueriesAndInputsThatAreNotWholeBatches) {
  runtime::Samples samples = numbered(2, 2);
  const BatchedSamples given{.samples = &samples, .batch = 2};
  const std::vector<std::uint32_t> order = {0, 1, 2};
  EXPECT_EQ(MlperfInputs::make(given, order, 1).error().text(),
            "error: a query has 1 samples, a batch 2\n"
            "  hint: use --bind batch=1, a divisor of --samples-per-query, or --scenario offline\n"
            "  [RIDGE-WB-0132]\n");
  samples.sets[0][1].dims = {4};
  EXPECT_EQ(MlperfInputs::make(given, order, 2).error().text(),
            "error: input 'b' has no row for each sample of a batch\n  hint: use --bind batch=1\n"
            "  [RIDGE-WB-0132]\n");
}

}  // namespace
}  // namespace ridge::evaluation
