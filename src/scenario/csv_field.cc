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

std::string csv_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '_' || c == ' ') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::optional<int> time_decimals(std::string_view name) {
  const std::string whole = csv_name(name);
  if (whole == "time" || whole == "timestamp" || whole == "arrival") return 9;
  const std::string unit = csv_name(name.substr(name.find_last_of('_') + 1));  // npos + 1 is 0
  if (unit == "s") return 9;
  if (unit == "ms") return 6;
  if (unit == "us") return 3;
  if (unit == "ns") return 0;
  return std::nullopt;
}

}  // namespace ridge::scenario
