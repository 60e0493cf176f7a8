// What instructions this processor has and the operating system lets us use.
//
//   const Features f = detect_features(native_cpuid());
//   if (f.avx512) run_the_wide_one();
//
// Detection only reads CPUID (and XCR0, which says whether the system saves the wide registers), so
// it is safe anywhere; on other processors than x86-64 every feature is false. Thread rule: pure.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ridge::kernels {

struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// CPUID as a parameter, so that tests can be any processor.
struct Cpuid {
  std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)> query;
  std::uint64_t xcr0 = 0;  ///< 0 where OSXSAVE is off
};

/// This processor's; every register 0 where it is no x86-64.
Cpuid native_cpuid();

struct Features {
  bool sse2 = false;
  bool avx = false;
  bool avx2 = false;         ///< with FMA, as the kernels need both
  bool avx_vnni = false;     ///< 256-bit int8 dot products, VEX encoded
  bool avx512 = false;       ///< F, BW, DQ and VL together
  bool avx512_vnni = false;  ///< 512-bit int8 dot products
  bool avx512_bf16 = false;
  bool amx_int8 = false;  ///< the processor has it; using it needs the system's permission too
};

Features detect_features(const Cpuid& cpuid);

/// Short names in a fixed order, e.g. {"sse2", "avx", "avx2+fma", "avx512", "avx512_vnni"}.
std::vector<std::string> names(const Features& features);

/// Who made the processor and which one it is, in the numbering of the vendor's manuals.
struct Identity {
  std::string vendor;  ///< "AuthenticAMD", "GenuineIntel"; empty where unknown
  std::string brand;   ///< the brand string without padding; may be generic in a virtual machine
  int family = 0;      ///< base + extended family
  int model = 0;       ///< base + extended model
  int stepping = 0;
  std::string hypervisor;  ///< its 12-letter signature, "KVMKVMKVM"; empty on bare metal
};

Identity identify(const Cpuid& cpuid);

/// A data or unified cache as CPUID describes it, for hosts that hide it from the file system.
struct CpuidCache {
  int level = 0;
  std::int64_t bytes = 0;
  std::int64_t line = 0;
  int shared_by = 0;  ///< logical processors, rounded up to a power of two by some vendors
};

/// Deterministic cache parameters: leaf 4 (Intel) or 0x8000001d (AMD). Empty where neither answers.
std::vector<CpuidCache> cpuid_caches(const Cpuid& cpuid);

}  // namespace ridge::kernels
