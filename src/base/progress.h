// SPDX-License-Identifier: Apache-2.0
// One-line progress display on a terminal: redrawn at most ten times per second, erased at the end.
//
//   Progress progress(sink, steady_clock());  // a terminal; Progress{} where there is none: silent
//   for (int i = 0; i < n; ++i) {
//     progress.show("measuring roofs", i, n);
//     ...
//   }
//   progress.hide();                          // also before other output to the same terminal
//
// Ownership: borrows the sink and the clock.
// Thread rule: show and hide may be called from several threads.
// Cost: a call that draws nothing reads the clock, formats nothing and takes no lock; a silent
// object returns at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "base/clock.h"
#include "base/sink.h"

namespace ridge {

class Progress {
 public:
  /// Silent display, for output that is not a terminal.
  Progress() = default;
  /// Draws with "\r" and "erase to end of line" through `sink`, in at most `columns` characters.
  /// `sink` and `clock` must outlive this object.
  Progress(Sink& sink, const Clock& clock, std::size_t columns = 79);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { hide(); }

  /// Draws "what", or "what: done of total" if `total` is above 0. The first call after hide()
  /// draws at once; later calls are dropped until a tenth of a second after the last drawing.
  /// `what` may be hostile text.
  void show(std::string_view what, std::int64_t done = 0, std::int64_t total = 0);

  /// Erases the line if it is visible.
  void hide();

 private:
  Sink* sink_ = nullptr;
  const Clock* clock_ = nullptr;
  std::size_t columns_ = 0;
  std::atomic<std::int64_t> next_draw_ns_ = INT64_MIN;
  std::mutex mutex_;  // guards the sink and visible_
  bool visible_ = false;
};

}  // namespace ridge
