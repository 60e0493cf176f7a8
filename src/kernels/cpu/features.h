// SPDX-License-Identifier: Apache-2.0
// Instruction sets that this processor has and the operating system allows.
//
//   const Features f = detect_features(native_cpuid());
//   if (f.avx512) run_the_wide_one();
//
// Detection only reads CPUID (and XCR0, which lists the register files that the system saves), so
// it is always safe; on processors other than x86-64 every feature is false. Thread rule: pure.
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

/// Injectable CPUID, so that tests can imitate any processor.
struct Cpuid {
  std::function<CpuidRegisters(std::uint32_t leaf, std::uint32_t subleaf)> query;
  std::uint64_t xcr0 = 0;  ///< 0 if OSXSAVE is off
};

/// CPUID of this processor; all registers are 0 if it is not an x86-64.
Cpuid native_cpuid();

struct Features {
  bool sse2 = false;
  bool avx = false;
  bool avx2 = false;         ///< together with FMA, since the kernels need both
  bool avx_vnni = false;     ///< 256-bit int8 dot products, VEX encoded
  bool avx512 = false;       ///< F, BW, DQ and VL together
  bool avx512_vnni = false;  ///< 512-bit int8 dot products
  bool avx512_bf16 = false;
  /// supported by the processor; using it also needs the system's permission
  bool amx_int8 = false;
};

Features detect_features(const Cpuid& cpuid);

/// Returns short names in a fixed order, e.g. {"sse2", "avx", "avx2+fma", "avx512", "avx512_vnni"}.
std::vector<std::string> names(const Features& features);
/// The features of such names; others are ignored.
Features features_named(const std::vector<std::string>& names);

/// Vendor and model of the processor, numbered as in the vendor's manuals.
struct Identity {
  std::string vendor;  ///< "AuthenticAMD", "GenuineIntel"; empty if unknown
  std::string brand;   ///< the brand string without padding; may be generic in a virtual machine
  int family = 0;      ///< base + extended family
  int model = 0;       ///< base + extended model
  int stepping = 0;
  std::string hypervisor;  ///< 12-letter signature, "KVMKVMKVM"; empty on bare metal
};

Identity identify(const Cpuid& cpuid);

/// Data or unified cache as CPUID describes it, for hosts whose file system does not.
struct CpuidCache {
  int level = 0;
  std::int64_t bytes = 0;
  std::int64_t line = 0;
  int shared_by = 0;  ///< logical processors; some vendors round up to a power of two
};

/// Deterministic cache parameters: leaf 4 (Intel) or 0x8000001d (AMD). Empty if the leaf is not
/// supported.
std::vector<CpuidCache> cpuid_caches(const Cpuid& cpuid);

}  // namespace ridge::kernels
