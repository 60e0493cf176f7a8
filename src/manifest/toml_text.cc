#include "manifest/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disguise.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

/// Bytes of a piece of a long string; each may become ten ("\U0000007F"), below the 500 of a line.
constexpr std::size_t kPiece = 80, kPieceBytes = 400;

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// Character at the begin of `text` in a basic string; its bytes are consumed.
std::string escaped(std::string_view& text) {
  const auto c = static_cast<unsigned char>(text[0]);
  std::size_t length = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  length = std::min(length, text.size());
  const std::string_view character = text.substr(0, length);
  text.remove_prefix(length);
  if (c == '"') return "\\\"";
  if (c == '\\') return "\\\\";
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c < 0x20 || c == 0x7f) return fmt::format("\\u{:04X}", c);
  return without_disguises(character);
}

std::string quoted(std::string_view value) {
  const std::string valid = valid_utf8(value);
  std::string_view rest = valid;
  std::string line, all;
  while (!rest.empty()) {
    const bool leads = line.empty() && rest[0] == ' ';
    std::string next = escaped(rest);
    // A blank at the beginning of a piece would be dropped with the line break.
    line += leads ? "\\u0020" : next;
    const bool full = line.size() >= kPieceBytes || (line.size() >= kPiece && next == " ") ||
                      (next == "\\n" && line.size() > kPiece / 2);
    if (full && !rest.empty()) {
      all += line + "\\\n";
      line.clear();
    }
  }
  if (all.empty()) return '"' + line + '"';
  return "\"\"\"\\\n" + all + line + "\"\"\"";
}

}  // namespace

void TomlText::begin_table(std::string_view name) { out_ += fmt::format("\n[{}]\n", name); }

void TomlText::begin_inner_table(std::string_view table, std::string_view name) {
  out_ += fmt::format("\n[{}.{}]\n", table, is_bare(name) ? std::string(name) : quoted(name));
}

void TomlText::begin_array_table(std::string_view name) { out_ += fmt::format("\n[[{}]]\n", name); }

void TomlText::key(std::string_view name) {
  out_ += is_bare(name) ? std::string(name) : quoted(name);
  out_ += " = ";
}

void TomlText::text(std::string_view name, std::string_view value) {
  if (!value.empty()) whole_text(name, value);
}

void TomlText::whole_text(std::string_view name, std::string_view value) {
  key(name);
  out_ += quoted(value) + "\n";
}

void TomlText::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  if (values.empty()) {
    out_ += "[]\n";
    return;
  }
  out_ += "[\n";
  for (const std::string& value : values) out_ += "  " + quoted(value) + ",\n";
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
