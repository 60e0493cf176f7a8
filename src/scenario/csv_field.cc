#include "scenario/csv_field.h"

#include "base/trim.h"

namespace ridge::scenario {

std::string_view csv_text(std::string_view between) {
  const std::string_view text = trimmed(between);
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::string_view csv_field(std::string_view line, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) return {};
    line.remove_prefix(comma + 1);
  }
  return csv_text(line.substr(0, line.find(',')));
}

}  // namespace ridge::scenario
