// SCALE-Sim's buffer of outputs (write_buffer.py): filled line by line of `bandwidth` words, half
// of it drained as soon as half is full, a line that is not full then counted as if it were unless
// it is the last one drained.
#pragma once

#include <cstdint>
#include <deque>

namespace ridge::accelerator {

class WriteBuffer {
 public:
  /// Of an SRAM of `words` and a port of `bandwidth` words per cycle.
  WriteBuffer(std::int64_t words, std::int64_t bandwidth);

  /// One output at `cycle`.
  void write(std::int64_t cycle);
  /// Cycles by which the last cycle's writes are late; asked once per cycle.
  std::int64_t stall(std::int64_t cycle);
  /// Drains what is left; words that went to the memory behind it.
  std::int64_t finish();

 private:
  void end_line();
  std::int64_t drain(std::int64_t cycle);

  std::int64_t bandwidth_, drained_at_once_;  ///< the last: words
  std::int64_t keep_free_, free_;
  std::int64_t in_line_ = 0;
  std::deque<std::int64_t> lines_;  ///< not drained yet: words of each
  std::int64_t now_ = -1;           ///< of the last write, later than its cycle where it waited
  std::int64_t drain_end_ = 0, words_ = 0;
};

}  // namespace ridge::accelerator
