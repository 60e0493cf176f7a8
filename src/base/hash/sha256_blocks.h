// SPDX-License-Identifier: Apache-2.0
// The compression function of SHA-256 over whole blocks (FIPS 180-4, section 6.2.2), in two
// implementations with the same result.
//
//   fastest_sha256_blocks()(state, bytes, 3);          // 3 blocks of 64 bytes
//
// Cost: about 42 ns a block with the processor's SHA instructions, 240 ns without.
// Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridge {

using Sha256State = std::array<std::uint32_t, 8>;
using Sha256Blocks = void (*)(Sha256State& state, const unsigned char* blocks, std::size_t count);

void sha256_blocks(Sha256State& state, const unsigned char* blocks, std::size_t count);

/// The fastest that this processor has.
Sha256Blocks fastest_sha256_blocks();

}  // namespace ridge
