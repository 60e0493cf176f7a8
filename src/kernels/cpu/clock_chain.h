// The core's clock, measured: a chain of adds in which each needs the one before takes one cycle
// per add, whatever else the core could do meanwhile. Divided by the time it took it gives Hz.
//
// Source: every x86-64 since the Pentium Pro executes a register add in one cycle (Agner Fog,
// Instruction tables). The chain adds two registers: an add of a constant may be folded at rename
// on Intel's Golden Cove and later. Thread rule: pure.
#pragma once

#include <cstdint>

namespace ridge::kernels {

/// Adds per round of run_clock_chain().
inline constexpr std::int64_t kChainAdds = 64;

/// start + rounds * kChainAdds * step, computed by that many dependent adds.
std::uint64_t run_clock_chain(std::uint64_t start, std::uint64_t step, std::int64_t rounds);

/// Whether an add is known to take one cycle here: false where this is no x86-64 or AArch64.
bool clock_chain_known();

}  // namespace ridge::kernels
