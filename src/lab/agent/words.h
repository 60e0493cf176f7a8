// SPDX-License-Identifier: Apache-2.0
// The end of what a program printed, as the evidence of an error. Pure function.
#pragma once

#include <string>
#include <string_view>

namespace ridge::lab {

/// At most 300 bytes on one line: line breaks become " / ", other control characters are escaped.
std::string last_words(std::string_view printed);

}  // namespace ridge::lab
