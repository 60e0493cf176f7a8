// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/character.h"
#include "base/numeral.h"

namespace ridge {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026

/// True for C0, DEL and C1 controls.
bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

/// True for characters that reorder or break the line around them, with which a name could disguise
/// itself.
bool is_disguise(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0x2028 || code == 0x2029 || code == 0x200E || code == 0x200F || code == 0x061C ||
         code == 0xFEFF;
}

/// Calls `sink(character, bytes)` for each character or maximal invalid part.
template <typename Sink>
void for_each_character(std::string_view text, Sink sink) {
  while (!text.empty()) {
    const Character character = first_character(text);
    sink(character, text.substr(0, character.length));
    text.remove_prefix(character.length);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](Character character, std::string_view bytes) {
    if (character.valid && !is_control(character.code) && !is_disguise(character.code)) {
      out += bytes;
      return;
    }
    for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  });
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](Character character, std::string_view bytes) {
    out += character.valid ? bytes : kReplacement;
  });
  return out;
}

std::string shorten(std::string_view text, std::size_t width) {
  std::size_t count = 0;
  std::size_t cut = 0;  // bytes of the first width - 1 characters
  for_each_character(text, [&](Character, std::string_view bytes) {
    if (++count < width) cut += bytes.size();
  });
  if (count <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(text.substr(0, cut)).append(kEllipsis);
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  std::vector<std::size_t> starts;  // byte offset of each character
  std::size_t at = 0;
  for_each_character(text, [&](Character, std::string_view bytes) {
    starts.push_back(at);
    at += bytes.size();
  });
  if (starts.size() <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t tail = width / 2, head = width - 1 - tail;
  const std::size_t behind = tail == 0 ? text.size() : starts[starts.size() - tail];
  return std::string(text.substr(0, starts[head])).append(kEllipsis).append(text.substr(behind));
}

std::string html_escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&](Character character, std::string_view bytes) {
    if (!character.valid) {
      out += kReplacement;
      return;
    }
    switch (character.code) {
      case '&':
        out += "&amp;";
        return;
      case '<':
        out += "&lt;";
        return;
      case '>':
        out += "&gt;";
        return;
      case '"':
        out += "&quot;";
        return;
      case '\'':
        out += "&#39;";
        return;
      case '\t':
      case '\n':
        out += bytes;
        return;
      default:
        if (is_disguise(character.code))
          out += printable(bytes);
        else if (!is_control(character.code))
          out += bytes;
    }
  });
  return out;
}

std::string csv_field(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  std::string_view rest = text;
  for_each_character(text, [&](Character character, std::string_view bytes) {
    rest.remove_prefix(bytes.size());
    const bool line_end = bytes == "\n" || (bytes == "\r" && rest.starts_with('\n'));
    shown += line_end || bytes == "\t" ? std::string(bytes) : printable(bytes);
    if (character.code == '"') shown += '"';
  });
  const bool formula =
      !shown.empty() && std::string_view("=+-@\t\r").find(shown[0]) != std::string_view::npos;
  if (formula) shown.insert(0, 1, '\'');
  const bool quoted = shown.find_first_of(",\"\n") != std::string_view::npos;
  return quoted ? '"' + shown + '"' : shown;
}

std::string si(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  constexpr std::array<std::string_view, 7> kPrefixes = {"", "k", "M", "G", "T", "P", "E"};
  double scaled = std::abs(value);
  std::size_t prefix = 0;
  // 999.5 and above would round to 1000.
  while (scaled >= 999.5 && prefix + 1 < kPrefixes.size()) {
    scaled /= 1000;
    ++prefix;
  }
  const char* sign = value < 0 ? "-" : "";
  if (prefix == 0) return sign + significant(scaled, 3);
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return fmt::format("{}{:.{}f} {}", sign, scaled, decimals, kPrefixes[prefix]);
}

std::string duration(std::int64_t nanoseconds) {
  constexpr std::array<std::string_view, 4> kUnits = {"ns", "\u00B5s", "ms", "s"};
  double scaled = std::abs(static_cast<double>(nanoseconds));
  std::size_t unit = 0;
  // With four digits shown, 999.95 and above would round to 1000.0.
  while (scaled >= (unit == 0 ? 1000 : 999.95) && unit + 1 < kUnits.size()) {
    scaled /= 1000;
    ++unit;
  }
  const char* sign = nanoseconds < 0 ? "-" : "";
  const int decimals = unit == 0         ? 0
                       : scaled < 9.9995 ? 3
                       : scaled < 99.995 ? 2
                       : scaled < 999.95 ? 1
                                         : 0;
  return fmt::format("{}{:.{}f} {}", sign, scaled, decimals, kUnits[unit]);
}

std::string duration(double nanoseconds) {
  constexpr double kLongest = 9e18;
  if (std::isnan(nanoseconds)) return "?";
  return duration(static_cast<std::int64_t>(std::clamp(nanoseconds, -kLongest, kLongest)));
}

std::string counted(std::int64_t n, std::string_view singular) {
  if (n != 1 && singular.ends_with("ry"))
    return fmt::format("{} {}ies", n, singular.substr(0, singular.size() - 1));
  const std::string_view ending = n == 1 ? "" : singular.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", n, singular, ending);
}

}  // namespace ridge
