// SPDX-License-Identifier: Apache-2.0
// Numbers of 64 bits, kept in blocks of 128 that take as many bytes a number as the block's numbers
// differ in: none where all are equal.
//
//   NumberBlocks numbers(arena);
//   numbers.put(7);
//   numbers.each([&](std::span<const std::int64_t> block) { use(block); });
//
// Numbers of a block that share their upper bits keep only the lower ones: of 300, 301, 302, one
// byte each after 256. Ownership: borrows the arena. Thread rule: one thread. Cost: about a
// nanosecond a number; memory is 1 KiB for the last block, and what the others differ in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/arena.h"

namespace ridge::record {

class NumberBlocks {
 public:
  static constexpr std::size_t kBlock = 128;

  explicit NumberBlocks(Arena& arena) : arena_(&arena) {}

  void put(std::int64_t number) {
    if (filled_ == last_.size()) [[unlikely]]
      make_room();
    last_[filled_++] = number;
  }

  std::size_t size() const { return blocks_.size() * kBlock + filled_; }

  /// use(std::span<const std::int64_t> block), in order.
  template <typename Use>
  void each(Use use) const {
    Numbers numbers;
    for (const Block& block : blocks_) {
      unpack(block, numbers);
      use(std::span<const std::int64_t>(numbers));
    }
    if (filled_ > 0) use(std::span<const std::int64_t>(last_).first(filled_));
  }

 private:
  using Numbers = std::array<std::int64_t, kBlock>;

  struct Block {
    const void* bytes;  ///< lower parts of the numbers
    std::int64_t upper;
    std::uint8_t width;  ///< bytes of a lower part
  };

  void make_room();
  Block packed() const;
  template <typename Part>
  Block lower_parts() const;
  static void unpack(const Block& block, Numbers& out);

  Arena* arena_;
  std::vector<Block> blocks_;
  std::span<std::int64_t> last_;  ///< the block that is being filled
  std::size_t filled_ = 0;
};

}  // namespace ridge::record
