// SPDX-License-Identifier: Apache-2.0
// Fields of a line of CSV. A comma ends a field, in quotes as well: the files read with this have
// numbers and names. Fields borrow the line. csv_field() of text.h writes one.
#pragma once

#include <string_view>
#include <vector>

#include "base/list.h"
#include "base/trim.h"

namespace ridge {

/// All fields of a line, without white space around them.
inline std::vector<std::string_view> csv_fields(std::string_view line) {
  std::vector<std::string_view> out = split(line);
  for (std::string_view& field : out) field = trimmed(field);
  return out;
}

/// The text between two commas, without white space and quotes around it.
inline std::string_view csv_text(std::string_view between) {
  const std::string_view text = trimmed(between);
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// csv_text() of field `index` of a line; "" beyond the last.
inline std::string_view csv_text(std::string_view line, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return {};
    line.remove_prefix(comma + 1);
  }
  return csv_text(line.substr(0, line.find(',')));
}

}  // namespace ridge
