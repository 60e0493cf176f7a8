// SPDX-License-Identifier: Apache-2.0
// Parses a command line by the rows of a verb's flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace ridge::cli {

inline constexpr const char* kHelpFlag = "help";
inline constexpr const char* kHelpOfHelp = "Print this help message and exit";

struct Parsed {
  bool wants_help = false;
  std::optional<std::string> error;  ///< why the command line is invalid
};

/// Fills the targets and counts the mentions. `arguments`: those behind the verb. Throws what
/// checks and Flags::after() throw (InvalidOption).
Parsed parse(Flags& flags, std::vector<std::string> arguments);

/// Usage and options, as --help shows them. `command`: "ridge profile".
std::string help_text(Flags& flags, const std::string& command);

}  // namespace ridge::cli
