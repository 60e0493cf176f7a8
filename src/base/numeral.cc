// SPDX-License-Identifier: Apache-2.0
#include "base/numeral.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ridge {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(value);
  const int first = size > 0 ? static_cast<int>(std::floor(std::log10(size))) : 0;
  constexpr int kMaxDecimals = 17;
  std::string text = fmt::format("{:.{}f}", size, std::clamp(digits - 1 - first, 0, kMaxDecimals));
  if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  constexpr std::size_t kUnparted = 4, kGroup = 3;
  const std::size_t whole = std::min(text.find('.'), text.size());
  if (whole > kUnparted)
    for (std::size_t at = whole; at > kGroup;) text.insert(at -= kGroup, 1, ',');
  return (value < 0 && text != "0" ? "-" : "") + text;
}

std::string binary_bytes(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr double kMax = 10'000;
  double scaled = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; scaled >= kMax && unit + 1 < kUnits.size(); ++unit) scaled /= 1024;
  return fmt::format("{} {}", significant(scaled, 4), kUnits[unit]);
}

}  // namespace ridge
