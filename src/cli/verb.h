// A verb of the program. Adding one: its file with a setup function, its line in verbs.cc.
//
//   Run setup_greet(CLI::App& app) {
//     auto options = std::make_shared<GreetOptions>();
//     app.add_option("NAME", options->name, "whom to greet")->required();
//     return [options](Console& console) { return greet(*options, console); };
//   }
//
// setup is called only for the verb that was asked for, so a verb costs the others nothing.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/console.h"

namespace CLI {
class App;
}

namespace ridge::cli {

/// Does the work and returns the exit status.
using Run = std::function<int(Console&)>;

struct Verb {
  std::string_view name;
  std::string_view summary;  ///< one line, for the list of verbs
  /// command lines, one per line, "# what it does" behind them; the help begins with them
  std::string_view examples;
  Run (*setup)(CLI::App& app);
};

/// The only list, in the order in which the help shows them.
std::span<const Verb> verbs();

}  // namespace ridge::cli
