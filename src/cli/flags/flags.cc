// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/flags.h"

#include <algorithm>
#include <string_view>

#include "base/list.h"

namespace ridge::cli {
namespace {

std::vector<std::string> names_with(std::string_view names, std::string_view dashes) {
  std::vector<std::string> out;
  for (const std::string_view name : items(names)) {
    const std::size_t begin = name.find_first_not_of('-');
    if (begin == dashes.size() && name.starts_with(dashes)) out.emplace_back(name.substr(begin));
  }
  return out;
}

}  // namespace

std::vector<std::string> Flag::long_names() const { return names_with(names, "--"); }
std::vector<std::string> Flag::short_names() const { return names_with(names, "-"); }

bool Flags::given(std::string_view long_name) const {
  return std::ranges::any_of(rows_, [&](const Flag& row) {
    return row.given > 0 && std::ranges::count(row.long_names(), long_name) > 0;
  });
}

Flag& Flags::append(Flag row) {
  row.heading = heading_;
  return rows_.emplace_back(std::move(row));
}

}  // namespace ridge::cli
