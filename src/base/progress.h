// One line on a terminal that says how far long work is: drawn at most ten times a second, gone at
// the end.
//
//   Progress progress(sink, steady_clock());  // a terminal; Progress{} where there is none: silent
//   for (int i = 0; i < n; ++i) {
//     progress.show("measuring roofs", i, n);
//     ...
//   }
//   progress.hide();                          // also before other text goes to the same terminal
//
// Ownership: refers to the sink and the clock.
// Thread rule: show and hide may be called from several threads.
// Cost: a call that draws nothing reads the clock, formats nothing and takes no lock; a silent one
// returns at once.
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
  /// Shows nothing: for output that is not a terminal.
  Progress() = default;
  /// Draws with "\r" and "erase to end of line" through `sink`, in at most `columns` characters.
  /// Both must outlive this.
  Progress(Sink& sink, const Clock& clock, std::size_t columns = 79);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { hide(); }

  /// "what", or "what: done of total" where `total` is above 0. The first call after hide() draws
  /// at once; later ones are dropped until a tenth of a second has passed since the last that was
  /// drawn. `what` may be hostile text.
  void show(std::string_view what, std::int64_t done = 0, std::int64_t total = 0);

  /// Erases the line, if one is there.
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
