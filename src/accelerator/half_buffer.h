// The distinct elements that pass through half of a double-buffered SRAM which is emptied whenever
// it is full (ReadBufferEstimateBw of SCALE-Sim: 100 sets of size / 100, half of them active).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::accelerator {

class HalfBuffer {
 public:
  /// Of an SRAM of `words`, for addresses below `addresses`. Memory: a byte per address.
  HalfBuffer(std::int64_t words, std::int64_t addresses)
      : capacity_(words / 100 * 50), seen_(static_cast<std::size_t>(addresses), 0) {}

  void read(std::int64_t address) {
    std::uint8_t& seen = seen_[static_cast<std::size_t>(address)];
    if (seen == filling_) return;
    seen = filling_;
    ++reads_;
    if (++filled_ == capacity_) drop();
  }
  /// Words that came from the memory behind it.
  std::int64_t reads() const { return reads_; }

 private:
  void drop() {
    filled_ = 0;
    if (++filling_ != 0) return;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    filling_ = 1;
  }

  std::int64_t capacity_, filled_ = 0, reads_ = 0;
  std::uint8_t filling_ = 1;
  std::vector<std::uint8_t> seen_;  ///< by address: the filling that last asked for it
};

}  // namespace ridge::accelerator
