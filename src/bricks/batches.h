// SPDX-License-Identifier: Apache-2.0
// Batches of bricks that run at one reuse distance (suite_times.h), and the ballast that they lack.
//
//   for (const Batching& b : batchings(bricks, reuse)) b.members, b.bytes, b.lacking
//
// The bricks of a batch run one after the other, again and again, so that between two runs of one
// as many bytes are touched as the batch has. A small brick touches its session and code too, which
// count for kSessionBytes. A brick with large weights, an eighth of the distance, is more
// sensitive: reading them makes up its time, from a cache or from memory. It runs in batches of
// such bricks alone, in which only tensors count, so that as many bytes of others really lie
// between two uses of its weights, and at the distance that weights have in the model. That is
// longer than the bytes that a model holds: a run writes and reads its activations over and over,
// which moves weights out of caches. (A classifier's product with weights of 4 MB takes in
// ShuffleNet, which holds 11 MB and reads and writes 69 MB, as long as after 32 MiB of other
// memory, and took a quarter of that as a brick of a batch of 8 MiB with the session bytes of
// fourteen bricks.)
//
//   distance of large weights = max(reuse distance, half of the model's traffic)
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridge::bricks {

/// Bytes that a run touches besides its tensors: the session's own structures, and code.
inline constexpr std::int64_t kSessionBytes = std::int64_t{192} << 10;
/// Weights of this part of the reuse distance are large.
inline constexpr std::int64_t kLargePart = 8;

struct BrickBytes {
  std::int64_t resident = 0;  ///< resident_bytes()
  std::int64_t weights = 0;
  std::int64_t far = 0;  ///< Wanted::far_bytes
};

/// Bricks at one reuse distance that are divided into batches together.
struct Batching {
  std::vector<std::size_t> members;  ///< positions in the argument, ascending
  std::vector<std::int64_t> bytes;   ///< bytes of each member
  std::int64_t distance = 0;         ///< bytes of a batch
  std::int64_t lacking = 0;          ///< bytes that ballast has to touch; 0: none
};

/// The bricks without large weights, then those with; without empty ones. `reuse`: above 0.
std::vector<Batching> batchings(std::span<const BrickBytes> bricks, std::int64_t reuse);

}  // namespace ridge::bricks
