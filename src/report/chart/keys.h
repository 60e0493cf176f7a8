// SPDX-License-Identifier: Apache-2.0
// Legends of charts, and the texts that their axes share.
//
//   color_keys({{"run: from issue to answer", series_color(0)}}) + short_duration(1'500'000)
//
// Words are escaped here. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::report {

/// duration() without zeros at its end: "500 µs", "1.5 ms", "0".
std::string short_duration(double ns);
/// "1,234"
std::string count_text(std::int64_t count);
struct NamedColor {
  std::string name;
  std::string_view color;
};
/// Legend in a paragraph of its own, a square of the color before each name; "" without keys.
std::string color_keys(const std::vector<NamedColor>& keys);

}  // namespace ridge::report
