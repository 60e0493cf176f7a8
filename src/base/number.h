// Numbers out of text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge {

/// All of `text` as a decimal number of 64 bits; nothing where it is anything else.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end || text.empty()) return std::nullopt;
  return value;
}

}  // namespace ridge
