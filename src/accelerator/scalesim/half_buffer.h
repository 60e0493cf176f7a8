// Read buffer of SCALE-Sim's mode CALC (ReadBufferEstimateBw): it never stalls. Half of it (50 of
// 100 sets) is filled with distinct elements and cleared as a whole when it is full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::accelerator {

class HalfBuffer {
 public:
  /// Buffer of an SRAM of `words`, for addresses below `addresses`. Memory: one byte per address.
  HalfBuffer(std::int64_t words, std::int64_t addresses)
      : capacity_(words / 100 * 50), seen_(static_cast<std::size_t>(addresses), 0) {}

  void read(std::int64_t address, std::int64_t /*cycle*/) {
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

 private:
  void drop() {
    filled_ = 0;
    if (++filling_ != 0) return;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    filling_ = 1;
  }

  std::int64_t capacity_, filled_ = 0, words_ = 0;
  std::uint8_t filling_ = 1;
  std::vector<std::uint8_t> seen_;  ///< by address: number of the filling that last read it
};

}  // namespace ridge::accelerator
