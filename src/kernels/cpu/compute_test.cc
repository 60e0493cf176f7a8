// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/compute.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernels/cpu/clock_chain.h"

namespace ridge::kernels {
namespace {

constexpr std::int64_t kSteps = 57;

// Expected accumulators by the definition in the header.
std::vector<float> expected_float32(const ComputeKernel& k, const float* accumulators,
                                    const float* operands) {
  const bool fused = k.name.starts_with("fma");
  const auto lanes = static_cast<std::size_t>(k.lanes);
  std::vector<float> out(accumulators, accumulators + lanes * static_cast<std::size_t>(k.chains));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float factor = operands[i % lanes], addend = operands[lanes + i % lanes];
    for (std::int64_t s = 0; s < kSteps; ++s) {
      volatile float product = out[i] * factor;  // rounded separately
      out[i] = fused ? std::fma(out[i], factor, addend) : product + addend;
    }
  }
  return out;
}

std::vector<std::int32_t> expected_int8(const ComputeKernel& k, const std::uint8_t* operands) {
  const auto vector = static_cast<std::size_t>(k.vector_bits) / 8, lanes = vector / 4;
  std::vector<std::int32_t> out(lanes * static_cast<std::size_t>(k.chains));
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t at = i % lanes * 4 + j;
      out[i] += static_cast<std::int32_t>(kSteps) * operands[at] *
                static_cast<std::int8_t>(operands[vector + at]);
    }
  }
  return out;
}

TEST(ComputeKernels, ComputeWhatTheirDefinitionSays) {
  const auto kernels = usable_compute_kernels(detect_features(native_cpuid()));
  ASSERT_FALSE(kernels.empty());
  for (const ComputeKernel* k : kernels) {
    ComputeBuffers buffers(*k);
    const std::size_t bytes = static_cast<std::size_t>(k->vector_bits / 8 * k->chains);
    if (k->dtype == "float32") {
      const auto want = expected_float32(*k, static_cast<const float*>(buffers.accumulators()),
                                         static_cast<const float*>(buffers.operands()));
      k->run(buffers.accumulators(), buffers.operands(), kSteps);
      EXPECT_EQ(std::memcmp(want.data(), buffers.accumulators(), bytes), 0) << k->name;
    } else {
      const auto want = expected_int8(*k, static_cast<const std::uint8_t*>(buffers.operands()));
      k->run(buffers.accumulators(), buffers.operands(), kSteps);
      EXPECT_EQ(std::memcmp(want.data(), buffers.accumulators(), bytes), 0) << k->name;
    }
  }
}

TEST(ComputeKernels, StayFiniteAndNormalHoweverLongTheyRun) {
  for (const ComputeKernel* k : usable_compute_kernels(detect_features(native_cpuid()))) {
    if (k->dtype != "float32") continue;
    ComputeBuffers buffers(*k);
    k->run(buffers.accumulators(), buffers.operands(), 10'000);
    const auto* lanes = static_cast<const float*>(buffers.accumulators());
    for (int i = 0; i < k->lanes * k->chains; ++i) EXPECT_TRUE(std::isnormal(lanes[i])) << k->name;
  }
}

TEST(ComputeKernels, NeedAFeatureUnlessTheyAreTheBaseline) {
  const Features none;
  for (const ComputeKernel* k : usable_compute_kernels(none)) EXPECT_EQ(k->needs, nullptr);
  Features avx2;
  avx2.sse2 = avx2.avx = avx2.avx2 = true;
  for (const ComputeKernel* k : usable_compute_kernels(avx2)) EXPECT_LE(k->vector_bits, 256);
}

TEST(ClockChain, AddsTheStepOncePerAdd) {
  EXPECT_EQ(run_clock_chain(5, 3, 7), 5u + 3u * 7u * static_cast<unsigned>(kChainAdds));
  EXPECT_EQ(run_clock_chain(5, 3, 0), 5u);
}

}  // namespace
}  // namespace ridge::kernels
