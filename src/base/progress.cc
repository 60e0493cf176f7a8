// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/text.h"

namespace ridge {
namespace {

constexpr Nanos kInterval = {100'000'000};
constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace

Progress::Progress(Sink& sink, const Clock& clock, std::size_t columns)
    : sink_(&sink), clock_(&clock), columns_(columns) {}

void Progress::show(std::string_view what, std::int64_t done, std::int64_t total) {
  if (sink_ == nullptr) return;
  const Nanos now = clock_->now();
  std::int64_t due = next_draw_ns_.load(std::memory_order_relaxed);
  if (now.count < due) return;
  // Only one of several concurrent callers wins and draws.
  if (!next_draw_ns_.compare_exchange_strong(due, (now + kInterval).count)) return;

  std::string line = printable(what);
  if (total > 0) line += fmt::format(": {} of {}", done, total);
  const std::lock_guard lock(mutex_);
  visible_ = true;
  sink_->write(std::string(kEraseLine) + shorten(line, columns_));
}

void Progress::hide() {
  if (sink_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  next_draw_ns_ = INT64_MIN;
  if (!std::exchange(visible_, false)) return;
  sink_->write(kEraseLine);
}

}  // namespace ridge
