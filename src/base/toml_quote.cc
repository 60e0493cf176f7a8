// SPDX-License-Identifier: Apache-2.0
#include "base/toml_quote.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/character.h"
#include "base/disguise.h"
#include "base/text.h"

namespace ridge {
namespace {

/// Bytes of a piece of a long string; each may become ten ("\U0000007F"), below the 500 of a line.
constexpr std::size_t kPieceCharacters = 80, kPieceBytes = 400;

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// A character in a basic string.
std::string escaped_character(std::string_view character) {
  const char c = character[0];
  if (c == '"') return "\\\"";
  if (c == '\\') return "\\\\";
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (character.size() == 1 && (c < 0x20 || c == 0x7f)) return fmt::format("\\u{:04X}", c);
  return without_disguises(character);
}

}  // namespace

std::string toml_key(std::string_view name) {
  if (is_bare(name)) return std::string(name);
  const std::string valid = valid_utf8(name);
  std::string out = "\"";
  for (std::string_view rest = valid; !rest.empty();) {
    const std::size_t length = first_character(rest).length;
    out += escaped_character(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return out + '"';
}

std::string toml_quoted(std::string_view value) {
  const std::string valid = valid_utf8(value);
  std::string_view rest = valid;
  std::string line, all;
  while (!rest.empty()) {
    const Character character = first_character(rest);
    const std::string_view bytes = rest.substr(0, character.length);
    rest.remove_prefix(bytes.size());
    const std::string next = escaped_character(bytes);
    // A blank after a line break with a backslash would be dropped with it; toml++ drops blanks
    // beyond ASCII as well.
    const bool may_be_blank = bytes == " " || bytes.size() > 1;
    line += line.empty() && !all.empty() && may_be_blank
                ? fmt::format("\\U{:08X}", static_cast<unsigned>(character.code))
                : next;
    const bool full = line.size() >= kPieceBytes ||
                      (line.size() >= kPieceCharacters && next == " ") ||
                      (next == "\\n" && line.size() > kPieceCharacters / 2);
    if (full && !rest.empty()) {
      all += line + "\\\n";
      line.clear();
    }
  }
  if (all.empty()) return '"' + line + '"';
  return "\"\"\"\n" + all + line + "\"\"\"";
}

}  // namespace ridge
