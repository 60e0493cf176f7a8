// SPDX-License-Identifier: Apache-2.0
// Command line: finds the verb, parses its options and runs it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

/// Text in the form of Error::text(), which would allocate. Its exit status is kEnvironment.
inline constexpr std::string_view kOutOfMemory =
    "error: out of memory\n"
    "  hint: close other programs, or use a machine with more memory\n"
    "  [RIDGE-CLI-0003]\n";

/// Returns the exit status. `arguments`: without the program's name. Never throws; errors are
/// printed to console.err.
int run_program(std::span<const std::string> arguments, std::span<const Verb> verbs,
                Console& console);

}  // namespace ridge::cli
