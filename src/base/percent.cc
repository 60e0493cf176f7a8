// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

#include <fmt/format.h>

namespace ridge {

std::string percent(double share, int decimals) {
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string signed_percent(double share, int decimals) {
  return fmt::format("{:+.{}f} %", 100 * share, decimals);
}

std::string short_percent(double share, int digits) {
  return fmt::format("{:.{}g} %", 100 * share, digits);
}

}  // namespace ridge
