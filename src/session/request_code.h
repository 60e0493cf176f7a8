// SPDX-License-Identifier: Apache-2.0
// Which fields of a request say what code is loaded: the runtime's library, a plug-in in place of a
// runtime's name, options of a runtime that name files (runtime/read_options.h). A request from a
// file or from the network may be somebody else's, so it states none of these.
//
//   for (const auto& [name, values] : request) TRY(refuse_code(name, values));
//
// The one list: flags of the program have these names, and its request files are checked here too.
// Thread rule: pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::session {

/// Whether the value of a field of that name is code to load. Fields are named as flags without
/// dashes; "_" is "-".
bool names_code(std::string_view field, std::string_view value);

/// Checks the values of a field as they would stand on the command line. Errors: input class,
/// RIDGE-WB-0395; RIDGE-RT-0090 for an option of a runtime.
Result<void> refuse_code(std::string_view field, std::span<const std::string> values);

}  // namespace ridge::session
