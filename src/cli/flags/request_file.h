// SPDX-License-Identifier: Apache-2.0
// A request of a verb in a file, in place of its flags: for agents, servers and scripts.
//
//   ridge profile --request night.toml --threads 4      # what the command line says comes first
//
//   # night.toml; JSON has the same keys
//   schema = "ridge.request/1"        # optional, as is the verb
//   verb = "profile"
//   model = "zoo:resnet50"            # arguments by their names, flags without their dashes
//   bind = ["batch=1,8"]
//   processes = 3
//   refresh-roofs = true
//
// The flags are the one list of keys: their rules and messages hold for both. A file may be
// somebody else's, so it decides neither which code is loaded (session/request_code.h)
// nor where files are written: RIDGE-CLI-0007.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

/// The flag that names the file; every verb has it.
void add_request_flag(Flags& flags, std::string& path);

/// Value of --request on a command line; "" without.
std::string request_path(std::span<const std::string> arguments);

/// `arguments` with the settings of the file before them, except settings of flags that `on_line`,
/// parsed from `arguments` alone, was given. Errors: input class, RIDGE-CLI-0006 to 0008.
Result<std::vector<std::string>> with_request(std::string_view text, bool is_json,
                                              std::string_view verb, const Flags& on_line,
                                              std::span<const std::string> arguments);

}  // namespace ridge::cli
