// SPDX-License-Identifier: Apache-2.0
// Read buffer of SCALE-Sim's mode USER (read_buffer.py): the operand is prefetched in a fixed,
// circular order, half a buffer at a time, independent of the requests. A read outside the window
// fetches halves until the window contains its element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ridge::accelerator {

class Prefetcher {
 public:
  /// Buffer of an SRAM of `words` and a port of `bandwidth` words per cycle. `order` contains
  /// addresses below `addresses`, and -1 for unused positions of the array; it must contain every
  /// address that is read.
  Prefetcher(std::int64_t words, std::int64_t bandwidth, std::vector<std::int32_t> order,
             std::int64_t addresses);

  void read(std::int64_t address, std::int64_t cycle) {
    while (window_[static_cast<std::size_t>(address)] == 0) {
      fetch_half();
      late_ = ready_ - cycle - 1;
    }
  }
  /// Cycles by which the last cycle's reads are late, negative if they were early. Call once per
  /// cycle.
  std::int64_t stall(std::int64_t /*cycle*/) { return std::exchange(late_, 0); }
  /// Words requested from the memory behind the buffer, unused positions included.
  std::int64_t words() const { return words_; }
  /// Not modeled in this mode.
  static std::optional<std::int64_t> first_cycle() { return std::nullopt; }

 private:
  void fetch_half();
  /// Adds `change` to the window count of each address in a set; set numbers are circular.
  void change_set(std::int64_t set, std::int32_t change);

  std::int64_t half_cycles_, half_words_;
  std::vector<std::int32_t> addresses_;  ///< `order` without -1
  std::vector<std::int32_t> window_;     ///< by address: how often it is in the window
  /// active_: sets in the window; fetched_: sets per fetch
  std::int64_t per_set_, sets_, active_, fetched_;
  std::int64_t first_ = 0;   ///< first set of the window
  std::int64_t ready_ = -1;  ///< cycle at which the last half was complete
  std::int64_t late_ = 0, words_ = 0;
};

}  // namespace ridge::accelerator
