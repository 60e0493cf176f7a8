// SPDX-License-Identifier: Apache-2.0
// The error that a process of ridge printed (docs/reference/messages.md), read back from its last
// words.
//
//   told_error("error: no such file\n  hint: look again\n  [RIDGE-IO-0001]\n")->code
//
// nullopt: the words have no such error. Thread rule: pure.
#pragma once

#include <optional>
#include <string_view>

#include "lab/serve/records.h"

namespace ridge::lab::serve {

std::optional<ErrorDocument> told_error(std::string_view words);

}  // namespace ridge::lab::serve
