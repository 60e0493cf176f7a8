// The command line: finds the verb, parses its options, runs it.
#pragma once

#include <span>
#include <string>

#include "cli/console.h"
#include "cli/verb.h"

namespace ridge::cli {

/// `arguments`: without the program's name. Never throws; what goes wrong is printed to console.err
/// and gives the exit status.
int run_program(std::span<const std::string> arguments, std::span<const Verb> verbs,
                Console& console);

}  // namespace ridge::cli
