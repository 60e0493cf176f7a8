// The child process that a runtime lives in: answers calls over a socket until it is closed.
//
// The program calls child_main first thing in main where its first argument is kChildArgument; it
// never returns to the rest of the program:
//
//   if (argc > 1 && argv[1] == runtime::kChildArgument) return runtime::child_main();
//
// Descriptor 3 is the channel, 4 the control socket: one byte on it cancels the run in progress,
// its end (ridge has died) ends the process.
#pragma once

#include <string_view>

namespace ridge::runtime {

inline constexpr std::string_view kChildArgument = "--runtime-child";
inline constexpr int kChannelDescriptor = 3;
inline constexpr int kControlDescriptor = 4;

/// The exit status for main.
int child_main();

}  // namespace ridge::runtime
