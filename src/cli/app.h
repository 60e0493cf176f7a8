// Command line: finds the verb, parses its options and runs it.
#pragma once

#include <span>
#include <string>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

/// Returns the exit status. `arguments`: without the program's name. Never throws; errors are
/// printed to console.err.
int run_program(std::span<const std::string> arguments, std::span<const Verb> verbs,
                Console& console);

}  // namespace ridge::cli
