// SPDX-License-Identifier: Apache-2.0
// Read buffer of SCALE-Sim's mode CALC (ReadBufferEstimateBw): it never stalls. Half of it (50 of
// 100 sets) is filled with distinct elements and cleared as a whole when it is full. What fills the
// first half is prefetched at 10 words per cycle before the array starts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/checked.h"

namespace ridge::accelerator {

class HalfBuffer {
 public:
  /// Buffer of an SRAM of `words`, for addresses below `addresses`. Memory: one byte per address.
  HalfBuffer(std::int64_t words, std::int64_t addresses)
      : per_set_(words / 100),
        capacity_(per_set_ * 50),
        seen_(static_cast<std::size_t>(addresses), 0) {}

  void read(std::int64_t address, std::int64_t cycle) {
    if (words_ == 0) first_read_ = cycle;
    std::uint8_t& seen = seen_[static_cast<std::size_t>(address)];
    if (seen == filling_) return;
    seen = filling_;
    ++words_;
    if (++filled_ == capacity_) drop();
  }
  /// Cycles by which the last cycle's reads are late: always 0.
  static std::int64_t stall(std::int64_t /*cycle*/) { return 0; }
  /// Words read from the memory behind the buffer.
  std::int64_t words() const { return words_; }
  /// Cycle in which the first word is prefetched. If the first half is never full, SCALE-Sim
  /// prefetches the sets in use, and ends before cycle 0.
  std::optional<std::int64_t> first_cycle() const {
    constexpr std::int64_t kBandwidth = 10;
    const std::int64_t sets = ceil_div(filled_, per_set_);
    return words_ >= capacity_ ? first_read_ - ceil_div(capacity_, kBandwidth)
                               : -ceil_div(sets * per_set_, kBandwidth);
  }

 private:
  void drop() {
    filled_ = 0;
    if (++filling_ != 0) return;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    filling_ = 1;
  }

  std::int64_t per_set_, capacity_, filled_ = 0, words_ = 0, first_read_ = 0;
  std::uint8_t filling_ = 1;
  std::vector<std::uint8_t> seen_;  ///< by address: number of the filling that last read it
};

}  // namespace ridge::accelerator
