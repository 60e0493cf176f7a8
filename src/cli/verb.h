// SPDX-License-Identifier: Apache-2.0
// Verbs of the program. To add one: a file with its setup function, and a line in verbs.cc.
//
//   Run setup_greet(Flags& flags) {
//     auto options = std::make_shared<GreetOptions>();
//     flags.add("NAME", options->name, "whom to greet").required();
//     return [options](Console& console) { return greet(*options, console); };
//   }
//
// To run a verb, only its own setup is called, by set_up().
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

/// Runs the verb and returns the exit status.
using Run = std::function<int(Console&)>;

struct Verb {
  std::string_view name;     ///< one word, or two: "eval compare"
  std::string_view summary;  ///< one line, for the list of verbs
  /// Example command lines, one per line, each with "# what it does"; the help begins with them.
  std::string_view examples;
  Run (*setup)(Flags& flags);
};

/// Calls the verb's setup and adds what every verb has: --request.
Run set_up(const Verb& verb, Flags& flags);

/// All verbs, in the order in which the help lists them.
std::span<const Verb> verbs();

}  // namespace ridge::cli
