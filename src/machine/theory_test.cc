// SPDX-License-Identifier: Apache-2.0
#include "machine/theory.h"

#include <gtest/gtest.h>

#include <set>

#include "machine/microarchitecture.h"
#include "machine/testing.h"

namespace ridge::machine {
namespace {

kernels::Identity amd(int family, int model) { return {"AuthenticAMD", "", family, model, 0, ""}; }
kernels::Identity intel(int model, std::string brand = "") {
  return {"GenuineIntel", std::move(brand), 6, model, 0, ""};
}

Host host_of(kernels::Identity cpu, kernels::Features features) {
  Host host = testing::epyc_host();
  host.cpu = std::move(cpu);
  host.features = features;
  return host;
}

const kernels::Features kAvx2{.sse2 = true, .avx = true, .avx2 = true};
const kernels::Features kAvx512{
    .sse2 = true, .avx = true, .avx2 = true, .avx512 = true, .avx512_vnni = true};

std::string_view found(const kernels::Identity& cpu) {
  const Microarchitecture* row = find_microarchitecture(cpu);
  return row == nullptr ? "none" : row->name;
}

TEST(FindMicroarchitecture, KnowsProcessorsByFamilyAndModel) {
  EXPECT_EQ(found(amd(25, 0x11)), "Zen 4");
  EXPECT_EQ(found(amd(25, 0x01)), "Zen 3");
  EXPECT_EQ(found(amd(25, 0xa0)), "Zen 4c");
  EXPECT_EQ(found(amd(23, 0x31)), "Zen 2");
  EXPECT_EQ(found(amd(26, 0x02)), "Zen 5");
  EXPECT_EQ(found(intel(0x8f)), "Sapphire Rapids");
  EXPECT_EQ(found(intel(0x6a)), "Ice Lake-SP");
  EXPECT_EQ(found(intel(0x1a)), "none");
  EXPECT_EQ(found({"HygonGenuine", "", 24, 1, 0, ""}), "none");
}

TEST(FindMicroarchitecture, TellsServersWithOneWideUnitByTheirName) {
  EXPECT_EQ(find_microarchitecture(intel(0x55, "Intel(R) Xeon(R) Silver 4110"))->core->fma.bits512,
            1);
  EXPECT_EQ(find_microarchitecture(intel(0x55, "Intel(R) Xeon(R) Gold 6148"))->core->fma.bits512,
            2);
}

TEST(ComputeTheory, IsLanesTimesUnitsTimesTwoTimesClock) {
  const Pace pace{1, 3e9};
  // Published peaks per cycle: 32 FLOP for AVX2 with two units and for Zen 4, 64 for two 512-bit
  // units.
  EXPECT_EQ(compute_theory(host_of(amd(25, 0x11), kAvx512), "float32", pace).value, 32 * 3e9);
  EXPECT_EQ(compute_theory(host_of(amd(25, 0x01), kAvx2), "float32", pace).value, 32 * 3e9);
  EXPECT_EQ(compute_theory(host_of(amd(23, 0x01), kAvx2), "float32", pace).value, 16 * 3e9);
  EXPECT_EQ(compute_theory(host_of(intel(0x8f), kAvx512), "float32", pace).value, 64 * 3e9);
  EXPECT_EQ(compute_theory(host_of(intel(0x8f), kAvx2), "float32", pace).value, 32 * 3e9);
}

TEST(ComputeTheory, CountsFourTimesTheLanesForInt8) {
  EXPECT_EQ(compute_theory(host_of(amd(25, 0x11), kAvx512), "int8", {1, 3e9}).value, 128 * 3e9);
  EXPECT_EQ(compute_theory(host_of(intel(0x6a), kAvx512), "int8", {1, 3e9}).value, 256 * 3e9);
}

TEST(ComputeTheory, CountsCoresNotThreads) {
  EXPECT_EQ(compute_theory(host_of(amd(25, 0x11), kAvx512), "float32", {4, 3e9}).value,
            4 * 32 * 3e9);
}

TEST(ComputeTheory, IsNullWithAReasonWhereItIsNotKnown) {
  const Theory unknown = compute_theory(host_of(intel(0x1a), kAvx2), "float32", {1, 3e9});
  EXPECT_FALSE(unknown.value.has_value());
  EXPECT_EQ(unknown.reason, "family 6 model 26 is not in the table of microarchitectures");
  const Host hybrid = host_of(intel(0xb7), kAvx2);
  EXPECT_TRUE(compute_theory(hybrid, "float32", {1, 3e9}).value.has_value());
  EXPECT_EQ(compute_theory(hybrid, "float32", {8, 3e9}).reason,
            "this processor has cores of two kinds");
  EXPECT_EQ(compute_theory(host_of(amd(25, 0x11), kAvx512), "float32", {1, std::nullopt}).reason,
            "the clock cannot be measured on this processor");
}

TEST(StreamTheory, TakesTheSlowerOfLoadsAndStores) {
  using enum kernels::StreamKind;
  const Pace pace{1, 1};
  const Host zen4 = host_of(amd(25, 0x11), kAvx512);  // loads 64 B and stores 32 B per cycle
  EXPECT_EQ(stream_theory(zen4, kRead, "L1", pace).value, 64);
  EXPECT_EQ(stream_theory(zen4, kWrite, "L1", pace).value, 32);
  EXPECT_EQ(stream_theory(zen4, kCopy, "L1", pace).value, 64);
  EXPECT_EQ(stream_theory(zen4, kTriad, "L1", pace).value, 96);
  const Host skylake = host_of(intel(0x55), kAvx512);  // loads 128 B and stores 64 B
  EXPECT_EQ(stream_theory(skylake, kRead, "L1", pace).value, 128);
  EXPECT_EQ(stream_theory(skylake, kTriad, "L1", pace).value, 192);
}

TEST(StreamTheory, HasNoneBeyondTheFirstLevel) {
  const Host host = testing::epyc_host();
  EXPECT_FALSE(stream_theory(host, kernels::StreamKind::kRead, "L2", {1, 3e9}).value.has_value());
  EXPECT_EQ(stream_theory(host, kernels::StreamKind::kCopy, "memory", {1, 3e9}).reason,
            "the speed of the memory modules cannot be read");
}

TEST(Microarchitectures, AreCompleteRows) {
  for (const Microarchitecture& m : microarchitectures()) {
    ASSERT_NE(m.core, nullptr) << m.name;
    EXPECT_LE(m.first_model, m.last_model) << m.name;
    EXPECT_GT(m.core->fma.bits256, 0) << m.name;
    EXPECT_GT(m.core->load.bits256, 0) << m.name;
    EXPECT_GT(m.core->store.bits256, 0) << m.name;
  }
}

}  // namespace
}  // namespace ridge::machine
