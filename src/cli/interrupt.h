// Ctrl-C. By default it ends the program at once with status 130; work that keeps what it has asks
// for the gentle way.
//
//   Interruption gentle; // until it goes out of scope, the first Ctrl-C only sets a flag
//   while (more && !Interruption::requested()) measure();
//
// Thread rule: requested() from any thread; one Interruption at a time.
#pragma once

#include <atomic>

namespace ridge::cli {

class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  /// Somebody pressed Ctrl-C. A second press ends the program.
  static bool requested();
  /// The same for code that polls a flag; lives as long as the program.
  static const std::atomic<bool>* flag();
};

/// Called once by main: SIGINT and SIGTERM as above; a closed pipe and a file past the limit on its
/// size (ulimit -f) are errors of the write, not signals.
void install_signal_handlers();

}  // namespace ridge::cli
