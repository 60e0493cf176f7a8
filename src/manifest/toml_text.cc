#include "manifest/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/character.h"
#include "base/disguise.h"
#include "base/text.h"

namespace ridge::manifest {
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
std::string escaped(std::string_view character) {
  const char c = character[0];
  if (c == '"') return "\\\"";
  if (c == '\\') return "\\\\";
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (character.size() == 1 && (c < 0x20 || c == 0x7f)) return fmt::format("\\u{:04X}", c);
  return without_disguises(character);
}

std::string quoted_lines(std::string_view value) {
  const std::string valid = valid_utf8(value);
  std::string_view rest = valid;
  std::string line, all;
  while (!rest.empty()) {
    const Character character = first_character(rest);
    const std::string_view bytes = rest.substr(0, character.length);
    rest.remove_prefix(bytes.size());
    const std::string next = escaped(bytes);
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

}  // namespace

void TomlText::begin_table(std::string_view name) { out_ += fmt::format("\n[{}]\n", name); }

void TomlText::begin_inner_table(std::string_view table, std::string_view name) {
  out_ += fmt::format("\n[{}.{}]\n", table, is_bare(name) ? std::string(name) : quoted_lines(name));
}

void TomlText::begin_array_table(std::string_view name) { out_ += fmt::format("\n[[{}]]\n", name); }

void TomlText::key(std::string_view name) {
  out_ += is_bare(name) ? std::string(name) : quoted_lines(name);
  out_ += " = ";
}

void TomlText::text(std::string_view name, std::string_view value) {
  if (!value.empty()) whole_text(name, value);
}

void TomlText::whole_text(std::string_view name, std::string_view value) {
  key(name);
  out_ += quoted_lines(value) + "\n";
}

void TomlText::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  if (values.empty()) {
    out_ += "[]\n";
    return;
  }
  out_ += "[\n";
  for (const std::string& value : values) out_ += "  " + quoted_lines(value) + ",\n";
  out_ += "]\n";
}

void TomlText::truth(std::string_view name, bool value) {
  key(name);
  out_ += value ? "true\n" : "false\n";
}

void TomlText::whole(std::string_view name, std::int64_t value) {
  key(name);
  out_ += fmt::format("{}\n", value);
}

void TomlText::numbers(std::string_view name, std::string_view list) {
  if (list.empty()) return;
  key(name);
  const bool several = list.find(", ") != std::string_view::npos;
  out_ += several ? fmt::format("[{}]\n", list) : fmt::format("{}\n", list);
}

}  // namespace ridge::manifest
