// SPDX-License-Identifier: Apache-2.0
#include "analysis/numbered_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/number.h"

namespace ridge::analysis {

NumberedName numbered(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  const bool alone =
      begin == 0 || name[begin - 1] == '.' || name[begin - 1] == '_' || name[begin - 1] == '-';
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
  if (begin == name.size() || !alone || error != std::errc()) return {name};
  return {name.substr(0, begin), number};
}

std::string range_text(std::span<const std::int64_t> numbers) {
  if (numbers.size() < 2) return "";
  constexpr std::size_t kListed = 4;
  const auto count = static_cast<std::int64_t>(numbers.size());
  const bool dense = std::is_sorted(numbers.begin(), numbers.end()) &&
                     numbers.back() - numbers.front() == count - 1;
  if (dense && count > 2) return fmt::format(" .. {}", numbers.back());
  const bool all = numbers.size() <= kListed + 1;  // the last one follows the ellipsis
  std::string text;
  for (std::size_t i = 1; i < (all ? numbers.size() : kListed); ++i)
    text += fmt::format(", {}", numbers[i]);
  return !all ? text + fmt::format(", … {}", numbers.back()) : text;
}

}  // namespace ridge::analysis
