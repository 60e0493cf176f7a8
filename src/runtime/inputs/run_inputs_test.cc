// SPDX-License-Identifier: Apache-2.0
// Elements of a decoder's inputs, against ones written out by hand.
#include "runtime/inputs/run_inputs.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;
using Dims = std::vector<std::int64_t>;

template <typename T>
std::vector<T> elements(const RunArray& array) {
  std::vector<T> out(array.elements.size() / sizeof(T));
  std::memcpy(out.data(), array.elements.data(), array.elements.size());
  return out;
}

const std::vector<std::int64_t> kIds = {7, 8, 9};

/// Three tokens of one sequence behind two.
RunState three_after_two() { return {.ids = kIds, .batch = 1, .tokens = 3, .cache = 2, .seen = 2}; }

TEST(RunInputs, ArePlacesAlsoWithAnAxisInFront) {
  const RunInput flat{"cache_position", DataType::kInt64, RunMeaning::kPlaces, {kTokensAxis}};
  EXPECT_EQ(elements<std::int64_t>(expect_ok(array_of(flat, three_after_two()))),
            (std::vector<std::int64_t>{2, 3, 4}));
  const RunInput rotary{
      "position_ids", DataType::kInt32, RunMeaning::kPlaces, {3, kBatchAxis, kTokensAxis}};
  const RunArray array = expect_ok(array_of(rotary, three_after_two()));
  EXPECT_EQ(array.dims, (Dims{3, 1, 3}));
  EXPECT_EQ(elements<std::int32_t>(array), (std::vector<std::int32_t>{2, 3, 4, 2, 3, 4, 2, 3, 4}));
}

TEST(RunInputs, AMaskHidesLaterTokens) {
  const RunInput whole{"m", DataType::kInt64, RunMeaning::kMask, {kBatchAxis, kKeysAxis}};
  EXPECT_EQ(elements<std::int64_t>(expect_ok(array_of(whole, three_after_two()))),
            (std::vector<std::int64_t>{1, 1, 1, 1, 1}));
  const float low = std::numeric_limits<float>::lowest();
  const RunInput added{
      "m", DataType::kFloat, RunMeaning::kMask, {kBatchAxis, 1, kTokensAxis, kKeysAxis}};
  const RunArray array = expect_ok(array_of(added, three_after_two()));
  EXPECT_EQ(array.dims, (Dims{1, 1, 3, 5}));
  EXPECT_EQ(elements<float>(array),
            (std::vector<float>{0, 0, 0, low, low, 0, 0, 0, 0, low, 0, 0, 0, 0, 0}));
  const RunInput half{"m", DataType::kFloat16, RunMeaning::kMask, {kBatchAxis, kTokensAxis, 4}};
  RunState first = three_after_two();
  first.cache = first.seen = 0;
  EXPECT_EQ(elements<std::uint16_t>(expect_ok(array_of(half, first))),
            (std::vector<std::uint16_t>{0, 0xfbff, 0xfbff, 0xfbff, 0, 0, 0xfbff, 0xfbff, 0, 0, 0,
                                        0xfbff}));
}

TEST(RunInputs, AMaskOfACacheOfOneSizeHidesItsEmptyPlaces) {
  const RunState second{.ids = kIds, .batch = 1, .tokens = 1, .cache = 2, .seen = 2};
  RunInput mask{"m", DataType::kBool, RunMeaning::kMask, {kBatchAxis, 6}};
  EXPECT_EQ(elements<std::uint8_t>(expect_ok(array_of(mask, second))),
            (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0}));
  mask.newest_last = true;
  EXPECT_EQ(elements<std::uint8_t>(expect_ok(array_of(mask, second))),
            (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1}));
}

TEST(RunInputs, AreLengthsAndConstants) {
  const auto one = [&](RunMeaning means) {
    const RunInput input{"x", DataType::kInt32, means, {}};
    return elements<std::int32_t>(expect_ok(array_of(input, three_after_two()))).at(0);
  };
  EXPECT_EQ(one(RunMeaning::kCacheLength), 2);
  EXPECT_EQ(one(RunMeaning::kLastPlace), 4);
  EXPECT_EQ(one(RunMeaning::kTotalLength), 5);
  EXPECT_EQ(one(RunMeaning::kHasCache), 1);
  EXPECT_EQ(one(RunMeaning::kOnes), 1);
  EXPECT_EQ(one(RunMeaning::kZeros), 0);
  RunState two = three_after_two();
  two.batch = 2;
  const RunInput beams{"beam_idx", DataType::kInt32, RunMeaning::kCount, {kBatchAxis}};
  EXPECT_EQ(elements<std::int32_t>(expect_ok(array_of(beams, two))),
            (std::vector<std::int32_t>{0, 1}));
}

TEST(RunInputs, EqualIdsHaveEqualEmbeddings) {
  const std::vector<std::int64_t> ids = {4, 5, 4};
  RunState state = three_after_two();
  state.ids = ids;
  const RunInput input{
      "inputs_embeds", DataType::kFloat, RunMeaning::kEmbeddings, {kBatchAxis, kTokensAxis, 8}};
  const std::vector<float> rows = elements<float>(expect_ok(array_of(input, state)));
  ASSERT_EQ(rows.size(), 24U);
  const auto row = [&](std::size_t i) {
    return std::vector<float>(rows.begin() + static_cast<std::ptrdiff_t>(i * 8),
                              rows.begin() + static_cast<std::ptrdiff_t>(i * 8 + 8));
  };
  EXPECT_EQ(row(0), row(2));
  EXPECT_NE(row(0), row(1));
}

TEST(RunInputs, ATypeWithoutSuchNumbersIsNamed) {
  const RunInput input{"mask", DataType::kUint64, RunMeaning::kMask, {kBatchAxis, kKeysAxis}};
  const auto array = array_of(input, three_after_two());
  ASSERT_FALSE(array.ok());
  EXPECT_EQ(array.error().text(),
            "error: the input 'mask' has elements of type uint64, which ids, places, masks and "
            "lengths do not have\n"
            "  hint: give its value: --input mask=FILE.npy\n"
            "  [RIDGE-RT-0063]\n");
}

}  // namespace
}  // namespace ridge::runtime
