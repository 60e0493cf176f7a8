// SPDX-License-Identifier: Apache-2.0
// Shares in percent, as text.
#pragma once

#include <string>

namespace ridge {

/// 0.125 -> "12.5 %", with that many decimals.
std::string percent(double share, int decimals = 1);
/// percent() with a sign: "+12.5 %", "-0.3 %".
std::string signed_percent(double share, int decimals = 1);
/// With at most that many significant digits, and no more than it takes: "0.1 %", "99.95 %".
std::string short_percent(double share, int digits = 6);

}  // namespace ridge
