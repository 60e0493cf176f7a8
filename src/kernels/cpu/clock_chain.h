// SPDX-License-Identifier: Apache-2.0
// Measurement of the core's clock: a chain of dependent adds takes one cycle per add, whatever else
// the core could execute meanwhile. Number of adds / duration is the clock in Hz.
//
// Source: every x86-64 since the Pentium Pro executes a register add in one cycle (Agner Fog,
// Instruction tables). The chain adds two registers: an add of a constant may be folded at rename
// on Intel's Golden Cove and later. Thread rule: pure.
#pragma once

#include <cstdint>

namespace ridge::kernels {

/// Adds per round of run_clock_chain().
inline constexpr std::int64_t kChainAdds = 64;

/// Returns start + rounds * kChainAdds * step, computed by that many dependent adds.
std::uint64_t run_clock_chain(std::uint64_t start, std::uint64_t step, std::int64_t rounds);

/// True if an add is known to take one cycle on this processor; false on other architectures than
/// x86-64 and AArch64.
bool clock_chain_known();

}  // namespace ridge::kernels
