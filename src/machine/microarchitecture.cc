// SPDX-License-Identifier: Apache-2.0
#include "machine/microarchitecture.h"

#include <array>

namespace ridge::machine {
namespace {

constexpr std::string_view kAmd = "AuthenticAMD";
constexpr std::string_view kIntel = "GenuineIntel";

// Each field: number of 256-bit and of 512-bit instructions per cycle.
constexpr CoreUnits kZen = {.fma = {1, 0}, .load = {1, 0}, .store = {0.5, 0}};
constexpr CoreUnits kZen2 = {.fma = {2, 0}, .load = {2, 0}, .store = {1, 0}};
constexpr CoreUnits kZen4 = {.fma = {2, 1}, .dot = {0, 1}, .load = {2, 1}, .store = {1, 0.5}};
constexpr CoreUnits kZen5 = {.fma = {2, 2}, .dot = {2, 2}, .load = {2, 2}, .store = {2, 1}};
constexpr CoreUnits kHaswell = {.fma = {2, 0}, .load = {2, 0}, .store = {1, 0}};
constexpr CoreUnits kSkylakeSp = {.fma = {2, 2}, .dot = {0, 2}, .load = {2, 2}, .store = {1, 1}};
constexpr CoreUnits kSkylakeSpOneUnit = {
    .fma = {2, 1}, .dot = {0, 1}, .load = {2, 2}, .store = {1, 1}};
constexpr CoreUnits kIceLake = {.fma = {2, 1}, .dot = {0, 1}, .load = {2, 2}, .store = {2, 1}};
constexpr CoreUnits kIceLakeSp = {.fma = {2, 2}, .dot = {0, 2}, .load = {2, 2}, .store = {2, 1}};
constexpr CoreUnits kGoldenCove = {.fma = {2, 2}, .dot = {2, 2}, .load = {3, 2}, .store = {2, 1}};
constexpr CoreUnits kGoldenCoveClient = {
    .fma = {2, 0}, .dot = {2, 0}, .load = {3, 0}, .store = {2, 0}};

// The first match counts, so special cases precede general ones.
constexpr std::array kRows = {
    Microarchitecture{"Zen", kAmd, 0x17, 0x00, 0x2f, &kZen},
    Microarchitecture{"Zen 2", kAmd, 0x17, 0x30, 0xaf, &kZen2},
    Microarchitecture{"Zen 4", kAmd, 0x19, 0x10, 0x1f, &kZen4},
    Microarchitecture{"Zen 4", kAmd, 0x19, 0x60, 0x7f, &kZen4},
    Microarchitecture{"Zen 4c", kAmd, 0x19, 0xa0, 0xaf, &kZen4},
    Microarchitecture{"Zen 3", kAmd, 0x19, 0x00, 0x5f, &kZen2},
    Microarchitecture{"Zen 5, 256-bit data paths", kAmd, 0x1a, 0x20, 0x2f, &kZen4},
    Microarchitecture{"Zen 5, 256-bit data paths", kAmd, 0x1a, 0x60, 0x6f, &kZen4},
    Microarchitecture{"Zen 5", kAmd, 0x1a, 0x00, 0x4f, &kZen5},
    Microarchitecture{"Haswell", kIntel, 6, 0x3c, 0x3c, &kHaswell},
    Microarchitecture{"Haswell", kIntel, 6, 0x3f, 0x3f, &kHaswell},
    Microarchitecture{"Haswell", kIntel, 6, 0x45, 0x46, &kHaswell},
    Microarchitecture{"Broadwell", kIntel, 6, 0x3d, 0x3d, &kHaswell},
    Microarchitecture{"Broadwell", kIntel, 6, 0x47, 0x47, &kHaswell},
    Microarchitecture{"Broadwell", kIntel, 6, 0x4f, 0x4f, &kHaswell},
    Microarchitecture{"Broadwell", kIntel, 6, 0x56, 0x56, &kHaswell},
    Microarchitecture{"Skylake", kIntel, 6, 0x4e, 0x4e, &kHaswell},
    Microarchitecture{"Skylake", kIntel, 6, 0x5e, 0x5e, &kHaswell},
    Microarchitecture{"Kaby Lake", kIntel, 6, 0x8e, 0x8e, &kHaswell},
    Microarchitecture{"Kaby Lake", kIntel, 6, 0x9e, 0x9e, &kHaswell},
    Microarchitecture{"Comet Lake", kIntel, 6, 0xa5, 0xa6, &kHaswell},
    Microarchitecture{"Skylake-SP", kIntel, 6, 0x55, 0x55, &kSkylakeSpOneUnit, "Bronze"},
    Microarchitecture{"Skylake-SP", kIntel, 6, 0x55, 0x55, &kSkylakeSpOneUnit, "Silver"},
    Microarchitecture{"Skylake-SP", kIntel, 6, 0x55, 0x55, &kSkylakeSp},
    Microarchitecture{"Ice Lake-SP", kIntel, 6, 0x6a, 0x6c, &kIceLakeSp},
    Microarchitecture{"Ice Lake", kIntel, 6, 0x7d, 0x7e, &kIceLake},
    Microarchitecture{"Tiger Lake", kIntel, 6, 0x8c, 0x8d, &kIceLake},
    Microarchitecture{"Rocket Lake", kIntel, 6, 0xa7, 0xa7, &kIceLake},
    Microarchitecture{"Sapphire Rapids", kIntel, 6, 0x8f, 0x8f, &kGoldenCove},
    Microarchitecture{"Emerald Rapids", kIntel, 6, 0xcf, 0xcf, &kGoldenCove},
    Microarchitecture{"Granite Rapids", kIntel, 6, 0xad, 0xae, &kGoldenCove},
    Microarchitecture{"Alder Lake", kIntel, 6, 0x97, 0x97, &kGoldenCoveClient, "", true},
    Microarchitecture{"Alder Lake", kIntel, 6, 0x9a, 0x9a, &kGoldenCoveClient, "", true},
    Microarchitecture{"Raptor Lake", kIntel, 6, 0xb7, 0xb7, &kGoldenCoveClient, "", true},
    Microarchitecture{"Raptor Lake", kIntel, 6, 0xba, 0xba, &kGoldenCoveClient, "", true},
    Microarchitecture{"Raptor Lake", kIntel, 6, 0xbf, 0xbf, &kGoldenCoveClient, "", true},
};

}  // namespace

double Rate::of(int vector_bits) const {
  return vector_bits == 256 ? bits256 : vector_bits == 512 ? bits512 : 0;
}

std::span<const Microarchitecture> microarchitectures() { return kRows; }

const Microarchitecture* find_microarchitecture(const kernels::Identity& cpu) {
  for (const Microarchitecture& row : kRows) {
    const bool fits = row.vendor == cpu.vendor && row.family == cpu.family &&
                      row.first_model <= cpu.model && cpu.model <= row.last_model;
    const bool named = row.brand.empty() || cpu.brand.find(row.brand) != std::string::npos;
    if (fits && named) return &row;
  }
  return nullptr;
}

}  // namespace ridge::machine
