// SPDX-License-Identifier: Apache-2.0
#include "accelerator/padded_memory.h"

#include <gtest/gtest.h>

#include "accelerator/form.h"
#include "accelerator/padding.h"

namespace ridge::accelerator {
namespace {

using Role = BufferProfile::Role;

BufferProfile buffer(Role role, std::vector<std::int64_t> shape, std::int64_t bytes) {
  BufferProfile out;
  out.shape = std::move(shape);
  out.role = role;
  out.bytes = bytes;
  return out;
}

LayerProfile memory_of(std::vector<BufferProfile> buffers) {
  LayerProfile out;
  out.buffers = std::move(buffers);
  for (const BufferProfile& b : out.buffers) {
    if (b.role == Role::kParameter) out.param_bytes += b.bytes;
    if (b.role == Role::kOutput) out.allocated_bytes += b.bytes;
  }
  return out;
}

PaddedBytes padded_by(const char* rule, const LayerProfile& memory, std::vector<Gemm> gemms) {
  Layer before, after;
  before.gemms = std::move(gemms);
  for (const Gemm& g : before.gemms)
    after.gemms.push_back(padded(g, parse_pad(rule).value()).value());
  return padded_bytes(&memory, before, after).value();
}

TEST(PaddedMemory, OfAConvolutionIsItsMatricesAndItsBias) {
  // 3 x 3 on 3 channels, 20 filters, 10 positions, float32, with the slopes of a PRelu.
  const LayerProfile memory = memory_of(
      {buffer(Role::kParameter, {20, 3, 3, 3}, 2160), buffer(Role::kParameter, {20}, 80),
       buffer(Role::kParameter, {20, 1, 1}, 80), buffer(Role::kOutput, {1, 20, 2, 5}, 800)});
  const PaddedBytes out = padded_by("16x16x16", memory, {matrix_product(10, 20, 27)});
  EXPECT_EQ(out.parameters, 32 * 32 * 4 + 80 + 80);
  EXPECT_EQ(out.allocated, 16 * 32 * 4);
}

TEST(PaddedMemory, OfGroupsIsThatOfEach) {
  const LayerProfile memory = memory_of(
      {buffer(Role::kParameter, {8, 1, 3, 3}, 288), buffer(Role::kOutput, {1, 8, 4, 4}, 512)});
  const PaddedBytes out = padded_by("16x16x16", memory, {matrix_product(16, 1, 9, 8)});
  EXPECT_EQ(out.parameters, 8 * 16 * 16 * 4);
  EXPECT_EQ(out.allocated, 8 * 16 * 16 * 4);
}

TEST(PaddedMemory, OfAnLstmIsThatOfEachWeight) {
  // 5 inputs, 3 hidden: W is 12 x 5, R is 12 x 3 and used in each of 7 steps.
  const LayerProfile memory = memory_of(
      {buffer(Role::kParameter, {1, 12, 5}, 240), buffer(Role::kParameter, {1, 12, 3}, 144),
       buffer(Role::kParameter, {1, 24}, 96), buffer(Role::kOutput, {7, 1, 1, 3}, 84)});
  const PaddedBytes out =
      padded_by("16x16x16", memory, {matrix_product(7, 12, 5), matrix_product(1, 12, 3, 7)});
  EXPECT_EQ(out.parameters, 2 * 16 * 16 * 4 + 96);
  EXPECT_EQ(out.allocated, 84);
}

TEST(PaddedMemory, OfPackedWeightsGrowsAsTheirProduct) {
  const LayerProfile memory =
      memory_of({buffer(Role::kParameter, {20, 2, 16}, 640), buffer(Role::kOutput, {10, 20}, 400)});
  EXPECT_EQ(padded_by("n32", memory, {matrix_product(10, 20, 64)}).parameters, 1024);
}

/// Blocks of 16 elements, 4 bits each, with a float32 scale per block: of K = 48 and N = 20 to K =
/// 64 and N = 32, these are 20 x 3 and 32 x 4 blocks.
TEST(PaddedMemory, OfBlocksAndTheirScalesIsThatOfMoreBlocks) {
  for (const bool flat : {false, true}) {
    const auto shape = [&](std::vector<std::int64_t> sizes) {
      return flat ? std::vector{product(sizes)} : sizes;
    };
    const LayerProfile memory = memory_of({buffer(Role::kParameter, shape({20, 3, 8}), 20 * 3 * 8),
                                           buffer(Role::kParameter, shape({20, 3}), 20 * 3 * 4),
                                           buffer(Role::kParameter, {20}, 80)});
    EXPECT_EQ(padded_by("n32k64", memory, {matrix_product(10, 20, 48)}).parameters,
              32 * 4 * 8 + 32 * 4 * 4 + 80)
        << flat;
  }
}

/// Gemm's third input may have the result's size: it is no matter of K.
TEST(PaddedMemory, OfAnAddendIsThatOfTheResult) {
  const LayerProfile memory =
      memory_of({buffer(Role::kParameter, {27, 20}, 2160), buffer(Role::kParameter, {10, 20}, 800),
                 buffer(Role::kOutput, {10, 20}, 800)});
  const PaddedBytes deeper = padded_by("k32", memory, {matrix_product(10, 20, 27)});
  EXPECT_EQ(deeper.parameters, 32 * 20 * 4 + 800);
  const PaddedBytes all = padded_by("16x16x16", memory, {matrix_product(10, 20, 27)});
  EXPECT_EQ(all.parameters, 32 * 32 * 4 + 16 * 32 * 4);
  EXPECT_EQ(all.allocated, 16 * 32 * 4);
}

TEST(PaddedMemory, IsUnknownWhereNothingTells) {
  EXPECT_EQ(padded_bytes(nullptr, {}, {}), std::nullopt);
}

}  // namespace
}  // namespace ridge::accelerator
