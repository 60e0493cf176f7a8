// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/disguise.h"
#include "manifest/manifest_target.h"

namespace ridge::manifest {
namespace {

constexpr std::size_t kIndent = 2;

bool is_plain_key(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

std::string quoted_scalar(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return without_disguises(out) + '"';
}

/// True for text whose lines stand in a block as they are: it has several, no control characters,
/// and a first line from which the indentation can be told.
bool fits_block(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || text[0] == ' ' || text[0] == '\n') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\n' ||
           (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f);
  });
}

}  // namespace

void YamlTarget::key(std::string_view name) {
  if (first_of_item_)
    first_of_item_ = false;
  else
    out_.append(level_ * kIndent, ' ');
  out_ += is_plain_key(name) ? std::string(name) : quoted_scalar(name);
  out_ += ':';
}

void YamlTarget::begin(std::string_view table) {
  key(table);
  out_ += '\n';
  ++level_;
}

void YamlTarget::begin_inner(std::string_view, std::string_view name) { begin(name); }

void YamlTarget::end() { --level_; }

void YamlTarget::begin_list(std::string_view key) { begin(key); }

void YamlTarget::end_list() { --level_; }

void YamlTarget::begin_item(std::string_view) {
  out_.append(level_ * kIndent, ' ');
  out_ += "- ";
  ++level_;
  first_of_item_ = true;
}

void YamlTarget::text(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  key(name);
  if (!fits_block(value)) {
    out_ += fmt::format(" {}\n", quoted_scalar(value));
    return;
  }
  const std::size_t breaks = value.size() - 1 - value.find_last_not_of('\n');
  out_ += breaks == 0 ? " |-\n" : breaks == 1 ? " |\n" : " |+\n";
  while (!value.empty()) {
    const std::size_t end = std::min(value.find('\n'), value.size());
    if (end > 0)
      out_ += std::string((level_ + 1) * kIndent, ' ') + std::string(value.substr(0, end));
    out_ += '\n';
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

void YamlTarget::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  if (values.empty()) out_ += " []";
  out_ += '\n';
  for (const std::string& value : values)
    out_ += fmt::format("{:{}}- {}\n", "", (level_ + 1) * kIndent, quoted_scalar(value));
}

void YamlTarget::truth(std::string_view name, bool value) {
  key(name);
  out_ += value ? " true\n" : " false\n";
}

void YamlTarget::whole(std::string_view name, std::int64_t value) {
  key(name);
  out_ += fmt::format(" {}\n", value);
}

void YamlTarget::numbers(std::string_view name, std::string_view list) {
  key(name);
  const bool several = list.find(',') != std::string_view::npos;
  out_ += several ? fmt::format(" [{}]\n", list) : fmt::format(" {}\n", list);
}

}  // namespace ridge::manifest
