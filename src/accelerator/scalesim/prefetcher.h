// The read buffer of SCALE-Sim's mode USER (read_buffer.py): the operand streams in a fixed,
// circular order, half a buffer at a time, whatever is asked for. An element that is not in the
// window costs as many halves as lie before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ridge::accelerator {

class Prefetcher {
 public:
  /// Of an SRAM of `words` and a port of `bandwidth` words per cycle. `order` holds addresses
  /// below `addresses`, and -1 where the array is not used; every address that is read must be in
  /// it.
  Prefetcher(std::int64_t words, std::int64_t bandwidth, std::vector<std::int32_t> order,
             std::int64_t addresses);

  void read(std::int64_t address, std::int64_t cycle) {
    while (window_[static_cast<std::size_t>(address)] == 0) {
      fetch_half();
      late_ = ready_ - cycle - 1;
    }
  }
  /// Cycles by which the last cycle's reads are late, below 0 where they came before; asked once
  /// per cycle.
  std::int64_t stall(std::int64_t /*cycle*/) { return std::exchange(late_, 0); }
  /// What the port asked the memory behind it for, unused places included.
  std::int64_t words() const { return words_; }

 private:
  void fetch_half();
  /// Adds `change` for each address of a set, counted around the circle.
  void change_set(std::int64_t set, std::int32_t change);

  std::int64_t half_cycles_, half_words_;
  std::vector<std::int32_t> addresses_;             ///< `order` without -1
  std::vector<std::int32_t> window_;                ///< by address: how often it lies in the window
  std::int64_t per_set_, sets_, active_, fetched_;  ///< of the last two: sets at a time
  std::int64_t first_ = 0;                          ///< set of the window
  std::int64_t ready_ = -1;                         ///< cycle at which the last half was complete
  std::int64_t late_ = 0, words_ = 0;
};

}  // namespace ridge::accelerator
