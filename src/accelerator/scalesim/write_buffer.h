// SPDX-License-Identifier: Apache-2.0
// Output buffer of SCALE-Sim (write_buffer.py): filled in lines of `bandwidth` words; as soon as it
// is half full, half of it is drained. A partly filled line counts as full unless it is the last
// one drained.
#pragma once

#include <cstdint>
#include <deque>

namespace ridge::accelerator {

class WriteBuffer {
 public:
  /// Buffer of an SRAM of `words` and a port of `bandwidth` words per cycle.
  WriteBuffer(std::int64_t words, std::int64_t bandwidth);

  /// Writes one output at `cycle`.
  void write(std::int64_t cycle);
  /// Cycles by which the last cycle's writes are late; -1 if they did not wait. Call once per
  /// cycle.
  std::int64_t stall(std::int64_t cycle);
  /// Drains the rest from `cycle` on; returns the total number of words written to the memory
  /// behind the buffer.
  std::int64_t finish(std::int64_t cycle);
  /// Cycle in which the last word left.
  std::int64_t last_cycle() const { return drain_end_; }

 private:
  void end_line();
  std::int64_t drain(std::int64_t cycle);

  std::int64_t bandwidth_, drained_at_once_;  ///< words per drain
  std::int64_t keep_free_, free_;
  std::int64_t in_line_ = 0;
  std::deque<std::int64_t> lines_;  ///< words of each line not yet drained
  std::int64_t now_ = -1;           ///< cycle of the last write, later than requested if it waited
  std::int64_t drain_end_ = 0, words_ = 0;
};

}  // namespace ridge::accelerator
