// SPDX-License-Identifier: Apache-2.0
// Child process that hosts a runtime: serves calls over a socket until it is closed.
//
// The program calls child_main first thing in main if its first argument is kChildArgument; it
// never returns to the rest of the program:
//
//   if (argc > 1 && argv[1] == kChildArgument) return child_main();
//
// Descriptors 3 and 4 are the channel and the control socket (ipc/process.h): one byte on the
// latter cancels the run in progress; its end of file (ridge has died) ends the process.
#pragma once

#include "runtime/protocol.h"

namespace ridge::runtime {

/// Returns the exit status for main.
int child_main();

}  // namespace ridge::runtime
