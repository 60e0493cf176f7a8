// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/write_buffer.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {

WriteBuffer::WriteBuffer(std::int64_t words, std::int64_t bandwidth)
    : bandwidth_(bandwidth),
      drained_at_once_(words - ceil_div(words, 2)),
      keep_free_(words - drained_at_once_),
      free_(words) {}

// Example: 8 words, 2 per cycle, one write per cycle from 0 on. The write at cycle 4 leaves 3 words
// free, fewer than keep_free_ = 4: it ends its line, and of the lines 2, 2, 1 the first two drain
// until cycle 4 + 2 - 1 = 5; free_ is 7 again.
void WriteBuffer::write(std::int64_t cycle) {
  now_ = std::max(now_, cycle);
  --free_;
  if (++in_line_ == bandwidth_) end_line();
  if (now_ < drain_end_) {
    if (free_ <= 0) now_ = drain_end_;
  } else if (free_ < keep_free_) {
    if (in_line_ > 0) end_line();
    drain_end_ = drain(now_);
  }
}

std::int64_t WriteBuffer::stall(std::int64_t cycle) {
  const std::int64_t late = std::max(now_, cycle) - cycle - 1;
  now_ = -1;
  return late;
}

void WriteBuffer::end_line() {
  lines_.push_back(in_line_);
  in_line_ = 0;
}

/// Removes half a buffer of lines; returns the cycle in which the last of them leaves.
std::int64_t WriteBuffer::drain(std::int64_t cycle) {
  const std::int64_t lines = std::min(ceil_div(drained_at_once_, bandwidth_), std::ssize(lines_));
  const std::int64_t last = lines_[static_cast<std::size_t>(lines - 1)];
  lines_.erase(lines_.begin(), lines_.begin() + lines);
  const std::int64_t drained = (lines - 1) * bandwidth_ + last;
  words_ += drained;
  free_ += drained;
  return cycle + lines - 1;
}

std::int64_t WriteBuffer::finish(std::int64_t cycle) {
  if (in_line_ > 0) end_line();
  while (!lines_.empty()) {
    const std::int64_t end = drain(cycle);
    drain_end_ = std::max(drain_end_, end);
    cycle = end + 1;
  }
  return words_;
}

}  // namespace ridge::accelerator
