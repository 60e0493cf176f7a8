// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/list.h"
#include "base/text.h"
#include "base/trim.h"

namespace ridge::lab::serve {
namespace {

constexpr std::size_t kShownOfTarget = 60;

Error bad_path(std::string_view text, std::string_view why) {
  return input_error("RIDGE-SERVE-0010", fmt::format("the path '{}' is refused",
                                                     shorten(printable(text), kShownOfTarget)))
      .evidence(std::string(why));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// nullopt for a `%` without two hexadecimal digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

Result<std::string> parse_segment(std::string_view text, std::string_view path) {
  const auto segment = decoded(text);
  if (!segment) return bad_path(path, "a % without two hexadecimal digits");
  if (segment->empty()) return bad_path(path, "an empty part");
  if (*segment == "." || *segment == "..") return bad_path(path, "'.' or '..' as a part");
  if (segment->find_first_of("/\\%") != std::string::npos)
    return bad_path(path, "a slash, backslash or % inside a part");
  if (std::ranges::any_of(*segment, is_control)) return bad_path(path, "a control character");
  if (valid_utf8(*segment) != *segment) return bad_path(path, "it is not UTF-8");
  return *segment;
}

Result<void> parse_query(std::string_view text, std::vector<QuerySetting>& out) {
  for (const std::string_view part : split(text, "&")) {
    if (part.empty()) continue;
    if (out.size() == kMostSettings)
      return input_error("RIDGE-SERVE-0012",
                         fmt::format("a query of more than {} settings", kMostSettings));
    std::string plain(part);
    std::ranges::replace(plain, '+', ' ');
    const std::size_t equals = plain.find('=');
    const auto name = decoded(plain.substr(0, equals));
    const auto value = decoded(equals == std::string::npos ? "" : plain.substr(equals + 1));
    const bool good = name && value && valid_utf8(*name) == *name && valid_utf8(*value) == *value &&
                      std::ranges::none_of(*value, is_control);
    if (!good)
      return input_error("RIDGE-SERVE-0011",
                         fmt::format("the setting '{}' of the query cannot be read",
                                     shorten(printable(part), kShownOfTarget)))
          .evidence("percent-encoded UTF-8 without control characters is expected");
    out.push_back({*name, *value});
  }
  return {};
}

}  // namespace

std::string Target::path() const {
  if (segments.empty()) return "/";
  std::string out;
  for (const std::string& segment : segments) out += '/' + segment;
  return out;
}

Result<Target> parse_target(std::string_view text) {
  if (text.size() > kLongestTarget)
    return bad_path(text, fmt::format("it has more than {} bytes", kLongestTarget));
  const std::size_t mark = text.find('?');
  const std::string_view path = text.substr(0, mark);
  if (!path.starts_with('/')) return bad_path(path, "it does not begin with a slash");
  Target out;
  if (path != "/")
    for (const std::string_view part : split(path.substr(1), "/"))
      out.segments.push_back(TRY(parse_segment(part, path)));
  if (mark != std::string_view::npos) TRY(parse_query(text.substr(mark + 1), out.query));
  return out;
}

std::optional<std::string> cookie_value(std::string_view header, std::string_view name) {
  std::optional<std::string> out;
  for (const std::string_view part : split(header, ";")) {
    const std::string_view cookie = trimmed(part);
    if (!cookie.starts_with(name) || cookie.substr(name.size(), 1) != "=") continue;
    if (out) return std::nullopt;
    out = std::string(cookie.substr(name.size() + 1));
  }
  return out;
}

std::optional<std::string> bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  if (!authorization.starts_with(kScheme)) return std::nullopt;
  return std::string(trimmed(authorization.substr(kScheme.size())));
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

}  // namespace ridge::lab::serve
