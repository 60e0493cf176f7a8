// SPDX-License-Identifier: Apache-2.0
#include "manifest/toml_text.h"

#include <fmt/format.h>

#include "base/toml_quote.h"

namespace ridge::manifest {
void TomlText::begin_table(std::string_view name) { out_ += fmt::format("\n[{}]\n", name); }

void TomlText::begin_inner_table(std::string_view table, std::string_view name) {
  out_ += fmt::format("\n[{}.{}]\n", table, toml_key(name));
}

void TomlText::begin_array_table(std::string_view name) { out_ += fmt::format("\n[[{}]]\n", name); }

void TomlText::key(std::string_view name) {
  out_ += toml_key(name);
  out_ += " = ";
}

void TomlText::text(std::string_view name, std::string_view value) {
  if (!value.empty()) whole_text(name, value);
}

void TomlText::whole_text(std::string_view name, std::string_view value) {
  key(name);
  out_ += toml_quoted(value) + "\n";
}

void TomlText::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  if (values.empty()) {
    out_ += "[]\n";
    return;
  }
  out_ += "[\n";
  for (const std::string& value : values) out_ += "  " + toml_quoted(value) + ",\n";
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
