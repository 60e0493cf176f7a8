#include "accelerator/scalesim/write_buffer.h"

#include <algorithm>

#include "base/checked.h"

namespace ridge::accelerator {

WriteBuffer::WriteBuffer(std::int64_t words, std::int64_t bandwidth)
    : bandwidth_(bandwidth),
      drained_at_once_(words - ceil_div(words, 2)),
      keep_free_(words - drained_at_once_),
      free_(words) {}

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

/// The cycle in which the last line of half a buffer leaves.
std::int64_t WriteBuffer::drain(std::int64_t cycle) {
  const std::int64_t lines = std::min(ceil_div(drained_at_once_, bandwidth_), std::ssize(lines_));
  const std::int64_t last = lines_[static_cast<std::size_t>(lines - 1)];
  lines_.erase(lines_.begin(), lines_.begin() + lines);
  const std::int64_t drained = (lines - 1) * bandwidth_ + last;
  words_ += drained;
  free_ += drained;
  return cycle + lines - 1;
}

std::int64_t WriteBuffer::finish() {
  if (in_line_ > 0) end_line();
  while (!lines_.empty()) drain(0);
  return words_;
}

}  // namespace ridge::accelerator
