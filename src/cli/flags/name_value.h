// SPDX-License-Identifier: Apache-2.0
// Arguments of the form name=value.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace ridge::cli {

/// Splits `text` at the first '='. Usage error, which names `flag`, if there is no name before it.
Result<std::pair<std::string, std::string>> name_and_value(const std::string& text,
                                                           std::string_view flag);

}  // namespace ridge::cli
