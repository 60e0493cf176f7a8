// Legends of charts, and the texts that their axes share.
//
//   colored_key(series_color(0), "run: from issue to answer") + short_duration(1'500'000)
//
// Words are escaped here. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge::report {

/// duration() without zeros at its end: "500 µs", "1.5 ms", "0".
std::string short_duration(double ns);
/// "1,234"
std::string count_text(std::int64_t count);
/// A key in a legend: a square of the color, and words.
std::string colored_key(std::string_view color, std::string_view words);

}  // namespace ridge::report
