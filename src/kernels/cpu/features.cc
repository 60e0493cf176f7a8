// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/features.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ridge::kernels {
namespace {

constexpr bool bit(std::uint32_t word, int n) { return (word >> n & 1) != 0; }

// XCR0 bits (Intel SDM vol. 1, section 13.3) of the register files that the system saves.
constexpr std::uint64_t kSavesAvx = 0x06;
constexpr std::uint64_t kSavesAvx512 = 0xe6;

constexpr std::uint32_t kExtended = 0x80000000;
constexpr std::uint32_t kHypervisorLeaf = 0x40000000;

std::string letters(std::initializer_list<std::uint32_t> words) {
  std::string out;
  for (const std::uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(word >> shift & 0xff);
      if (c != '\0') out += c;
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out.substr(std::min(out.find_first_not_of(' '), out.size()));
}

#if defined(__x86_64__)
std::uint64_t read_xcr0() {
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<std::uint64_t>(high) << 32 | low;
}
#endif

constexpr std::pair<std::string_view, bool Features::*> kNamed[] = {
    {"sse2", &Features::sse2},
    {"avx", &Features::avx},
    {"avx2+fma", &Features::avx2},
    {"avx_vnni", &Features::avx_vnni},
    {"avx512", &Features::avx512},
    {"avx512_vnni", &Features::avx512_vnni},
    {"avx512_bf16", &Features::avx512_bf16},
    {"amx_int8", &Features::amx_int8},
};

}  // namespace

Cpuid native_cpuid() {
  Cpuid out;
#if defined(__x86_64__)
  out.query = [](std::uint32_t leaf, std::uint32_t subleaf) {
    CpuidRegisters r;
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    return r;
  };
  const bool osxsave = bit(out.query(1, 0).ecx, 27);
  if (osxsave) out.xcr0 = read_xcr0();
#else
  out.query = [](std::uint32_t, std::uint32_t) { return CpuidRegisters{}; };
#endif
  return out;
}

Features detect_features(const Cpuid& cpuid) {
  Features f;
  const std::uint32_t last = cpuid.query(0, 0).eax;
  if (last < 1) return f;
  const CpuidRegisters one = cpuid.query(1, 0);
  const CpuidRegisters seven = last >= 7 ? cpuid.query(7, 0) : CpuidRegisters{};
  const CpuidRegisters seven_one = seven.eax >= 1 ? cpuid.query(7, 1) : CpuidRegisters{};
  const bool ymm = (cpuid.xcr0 & kSavesAvx) == kSavesAvx;
  const bool zmm = (cpuid.xcr0 & kSavesAvx512) == kSavesAvx512;
  f.sse2 = bit(one.edx, 26);
  f.avx = ymm && bit(one.ecx, 28);
  f.avx2 = f.avx && bit(seven.ebx, 5) && bit(one.ecx, 12);
  f.avx_vnni = f.avx2 && bit(seven_one.eax, 4);
  f.avx512 = f.avx2 && zmm && bit(seven.ebx, 16) && bit(seven.ebx, 17) && bit(seven.ebx, 30) &&
             bit(seven.ebx, 31);
  f.avx512_vnni = f.avx512 && bit(seven.ecx, 11);
  f.avx512_bf16 = f.avx512 && bit(seven_one.eax, 5);
  f.amx_int8 = bit(seven.edx, 24) && bit(seven.edx, 25);
  return f;
}

std::vector<std::string> names(const Features& f) {
  std::vector<std::string> out;
  for (const auto& [name, feature] : kNamed)
    if (f.*feature) out.emplace_back(name);
  return out;
}

Features features_named(const std::vector<std::string>& names) {
  Features out;
  for (const auto& [name, feature] : kNamed)
    out.*feature = std::ranges::find(names, name) != names.end();
  return out;
}

Identity identify(const Cpuid& cpuid) {
  Identity id;
  const CpuidRegisters zero = cpuid.query(0, 0);
  if (zero.eax < 1) return id;
  id.vendor = letters({zero.ebx, zero.edx, zero.ecx});
  const CpuidRegisters one = cpuid.query(1, 0);
  const int base_family = static_cast<int>(one.eax >> 8 & 0xf);
  const int base_model = static_cast<int>(one.eax >> 4 & 0xf);
  id.stepping = static_cast<int>(one.eax & 0xf);
  id.family =
      base_family == 0xf ? base_family + static_cast<int>(one.eax >> 20 & 0xff) : base_family;
  const bool extended = base_family == 0xf || base_family == 6;
  id.model = extended ? base_model + static_cast<int>(one.eax >> 16 & 0xf) * 16 : base_model;
  if (cpuid.query(kExtended, 0).eax >= kExtended + 4) {
    const CpuidRegisters a = cpuid.query(kExtended + 2, 0), b = cpuid.query(kExtended + 3, 0),
                         c = cpuid.query(kExtended + 4, 0);
    id.brand = letters(
        {a.eax, a.ebx, a.ecx, a.edx, b.eax, b.ebx, b.ecx, b.edx, c.eax, c.ebx, c.ecx, c.edx});
  }
  if (bit(one.ecx, 31)) {
    const CpuidRegisters h = cpuid.query(kHypervisorLeaf, 0);
    id.hypervisor = letters({h.ebx, h.ecx, h.edx});
    if (id.hypervisor.empty()) id.hypervisor = "unnamed";
  }
  return id;
}

std::vector<CpuidCache> cpuid_caches(const Cpuid& cpuid) {
  const bool amd = identify(cpuid).vendor == "AuthenticAMD";
  const std::uint32_t leaf = amd ? kExtended + 0x1d : 4;
  const std::uint32_t last = cpuid.query(amd ? kExtended : 0, 0).eax;
  std::vector<CpuidCache> out;
  if (last < leaf) return out;
  constexpr std::uint32_t kMaxCaches = 16;
  for (std::uint32_t i = 0; i < kMaxCaches; ++i) {
    const CpuidRegisters r = cpuid.query(leaf, i);
    const std::uint32_t type = r.eax & 0x1f;  // 0 none, 1 data, 2 instruction, 3 unified
    if (type == 0) break;
    if (type == 2) continue;
    const std::int64_t line = (r.ebx & 0xfff) + 1, partitions = (r.ebx >> 12 & 0x3ff) + 1,
                       ways = (r.ebx >> 22 & 0x3ff) + 1,
                       sets = static_cast<std::int64_t>(r.ecx) + 1;
    out.push_back({static_cast<int>(r.eax >> 5 & 7), line * partitions * ways * sets, line,
                   static_cast<int>(r.eax >> 14 & 0xfff) + 1});
  }
  return out;
}

}  // namespace ridge::kernels
