// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace ridge::kernels {
namespace {

using Leaf = std::pair<std::uint32_t, std::uint32_t>;

Cpuid fake(std::map<Leaf, CpuidRegisters> table, std::uint64_t xcr0) {
  return {[table = std::move(table)](std::uint32_t leaf, std::uint32_t subleaf) {
            const auto at = table.find({leaf, subleaf});
            return at == table.end() ? CpuidRegisters{} : at->second;
          },
          xcr0};
}

constexpr std::uint32_t b(int n) { return 1u << n; }
constexpr std::uint32_t kOne = b(12) | b(27) | b(28);                    // FMA, OSXSAVE, AVX
constexpr std::uint32_t kAvx512 = b(5) | b(16) | b(17) | b(30) | b(31);  // with AVX2

// CPUID registers read from real processors: a virtual EPYC 9004 under KVM.
std::map<Leaf, CpuidRegisters> epyc() {
  return {{{0, 0}, {0x10, 0x68747541, 0x444d4163, 0x69746e65}},
          {{1, 0}, {0x00a10f11, 0, kOne | b(31), b(26)}},
          {{7, 0}, {1, kAvx512, b(11), 0}},
          {{7, 1}, {b(5), 0, 0, 0}},
          {{0x40000000, 0}, {0, 0x4b4d564b, 0x564b4d56, 0x4d}},
          {{0x80000000, 0}, {0x80000021, 0, 0, 0}},
          {{0x80000002, 0}, {0x20444d41, 0x43595045, 0, 0}},
          {{0x8000001d, 0}, {0x00000121, 0x01c0003f, 63, 0}},
          {{0x8000001d, 1}, {0x00000122, 0x01c0003f, 63, 0}},
          {{0x8000001d, 2}, {0x00000143, 0x01c0003f, 2047, 0}},
          {{0x8000001d, 3}, {0x00004163, 0x03c0003f, 32767, 0}}};
}

TEST(DetectFeatures, FindsWhatAnEpyc9004Has) {
  const Features f = detect_features(fake(epyc(), 0xe7));
  EXPECT_TRUE(f.sse2 && f.avx && f.avx2 && f.avx512 && f.avx512_vnni && f.avx512_bf16);
  EXPECT_FALSE(f.avx_vnni || f.amx_int8);
  EXPECT_EQ(names(f), (std::vector<std::string>{"sse2", "avx", "avx2+fma", "avx512", "avx512_vnni",
                                                "avx512_bf16"}));
}

TEST(DetectFeatures, LeavesOutWhatTheSystemDoesNotSave) {
  const Features without_zmm = detect_features(fake(epyc(), 0x07));
  EXPECT_TRUE(without_zmm.avx2);
  EXPECT_FALSE(without_zmm.avx512 || without_zmm.avx512_vnni);
  const Features without_ymm = detect_features(fake(epyc(), 0x03));
  EXPECT_TRUE(without_ymm.sse2);
  EXPECT_FALSE(without_ymm.avx || without_ymm.avx2);
}

TEST(DetectFeatures, WantsEveryPartOfAvx512) {
  for (const int part : {16, 17, 30, 31}) {
    auto table = epyc();
    table[{7, 0}].ebx &= ~b(part);
    EXPECT_FALSE(detect_features(fake(table, 0xe7)).avx512) << part;
  }
}

TEST(DetectFeatures, WantsFmaWithAvx2) {
  auto table = epyc();
  table[{1, 0}].ecx &= ~b(12);
  EXPECT_FALSE(detect_features(fake(table, 0xe7)).avx2);
}

TEST(DetectFeatures, FindsVexVnniOfAClientProcessor) {
  auto table = epyc();
  table[{7, 0}] = {1, b(5), 0, 0};
  table[{7, 1}] = {b(4), 0, 0, 0};
  const Features f = detect_features(fake(table, 0x07));
  EXPECT_TRUE(f.avx_vnni);
  EXPECT_FALSE(f.avx512_vnni);
}

TEST(DetectFeatures, IsAllFalseWithoutCpuid) {
  EXPECT_TRUE(names(detect_features(fake({}, 0xe7))).empty());
}

TEST(Identify, ReadsVendorModelAndHypervisor) {
  const Identity id = identify(fake(epyc(), 0xe7));
  EXPECT_EQ(id.vendor, "AuthenticAMD");
  EXPECT_EQ(id.brand, "AMD EPYC");
  EXPECT_EQ(id.family, 25);
  EXPECT_EQ(id.model, 17);
  EXPECT_EQ(id.stepping, 1);
  EXPECT_EQ(id.hypervisor, "KVMKVMKVM");
}

TEST(Identify, AddsTheExtendedModelOfAnIntelFamilySix) {
  auto table = epyc();
  table[{1, 0}] = {0x000806f8, 0, kOne, b(26)};  // Sapphire Rapids, bare metal
  const Identity id = identify(fake(table, 0xe7));
  EXPECT_EQ(id.family, 6);
  EXPECT_EQ(id.model, 143);
  EXPECT_EQ(id.hypervisor, "");
}

TEST(CpuidCaches, LeavesOutInstructionsAndMultipliesTheGeometry) {
  const std::vector<CpuidCache> caches = cpuid_caches(fake(epyc(), 0xe7));
  ASSERT_EQ(caches.size(), 3u);
  EXPECT_EQ(caches[0].level, 1);
  EXPECT_EQ(caches[0].bytes, 32 << 10);
  EXPECT_EQ(caches[0].line, 64);
  EXPECT_EQ(caches[1].bytes, 1 << 20);
  EXPECT_EQ(caches[2].level, 3);
  EXPECT_EQ(caches[2].bytes, 32 << 20);
  EXPECT_EQ(caches[2].shared_by, 2);
}

// The compiler's own detection serves as an oracle on this processor.
#if defined(__x86_64__)
TEST(NativeCpuid, AgreesWithTheCompiler) {
  const Features f = detect_features(native_cpuid());
  __builtin_cpu_init();
  EXPECT_EQ(f.avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(f.avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"));
  EXPECT_EQ(f.avx512_vnni, f.avx512 && __builtin_cpu_supports("avx512vnni"));
}
#endif

}  // namespace
}  // namespace ridge::kernels
