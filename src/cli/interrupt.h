// SPDX-License-Identifier: Apache-2.0
// Handling of Ctrl-C. By default it ends the program at once with status 130; work that keeps
// partial results defers it:
//
//   Interruption interruption;  // in its scope, the first Ctrl-C sets a flag, the second ends
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

  /// True after a first Ctrl-C, SIGTERM or SIGHUP in the scope of an Interruption.
  static bool requested();
  /// The flag behind requested(), for code that polls it; valid for the life of the program.
  static const std::atomic<bool>* flag();
};

/// Installs the handlers of SIGINT, SIGTERM and SIGHUP (unless that is ignored at the start, as by
/// nohup); called once by main. SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a file
/// beyond the size limit (ulimit -f) become write errors.
void install_signal_handlers();

}  // namespace ridge::cli
