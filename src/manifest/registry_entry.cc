// SPDX-License-Identifier: Apache-2.0
#include "manifest/registry_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash/sha256.h"
#include "base/number.h"
#include "base/relative_path.h"
#include "base/text.h"
#include "manifest/version.h"

namespace ridge::manifest {
namespace {

constexpr std::array kKindNames{EntryKind::kModel, EntryKind::kDataset, EntryKind::kLabels};
constexpr std::string_view kHead = "ridge.registry/1";
constexpr std::size_t kLongestName = 500, kHashDigits = 64;

bool is_hash(std::string_view text) {
  return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Error damaged_line(std::string_view line) {
  return input_error("RIDGE-MAN-0064", "the entry of the registry is damaged")
      .evidence(printable(line.substr(0, 120)))
      .hint("remove the entry and add it again");
}

std::string_view take_until(char end, std::string_view& text) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

/// "SHA256 BYTES NAME"
bool take_file(std::string_view text, RegistryEntry& entry) {
  RegistryFile file;
  file.sha256 = take_until(' ', text);
  const auto bytes = whole_number(take_until(' ', text));
  file.name = text;
  if (!is_hash(file.sha256) || !bytes || *bytes < 0 || !is_file_name(file.name)) return false;
  // Sorted, so that no name occurs twice.
  if (!entry.files.empty() && entry.files.back().name >= file.name) return false;
  file.bytes = *bytes;
  entry.files.push_back(std::move(file));
  return true;
}

bool take_line(std::string_view key, std::string_view value, RegistryEntry& entry) {
  if (key == "file") return take_file(value, entry);
  if (key == "kind") {
    const auto kind = parse_entry_kind(value);
    if (kind.ok()) entry.kind = *kind;
    return kind.ok();
  }
  if (key == "name") {
    entry.name = value;
    return check_name(value).ok();
  }
  if (key != "version") return false;
  entry.version = value;
  return parse_version(value).ok();
}

}  // namespace

std::string_view name(EntryKind kind) {
  switch (kind) {
    case EntryKind::kModel:
      return "model";
    case EntryKind::kDataset:
      return "dataset";
    case EntryKind::kLabels:
      return "labels";
  }
  return "";
}

Result<EntryKind> parse_entry_kind(std::string_view text) {
  for (const EntryKind kind : kKindNames)
    if (name(kind) == text) return kind;
  return input_error("RIDGE-MAN-0068",
                     fmt::format("unknown kind '{}'", printable(text.substr(0, 60))))
      .hint("known are model, dataset and labels");
}

bool is_file_name(std::string_view name) {
  if (name.size() > kLongestName) return false;
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') return false;
  return is_below(name);
}

std::string RegistryEntry::digest() const {
  Sha256 hash;
  for (const RegistryFile& f : files) hash.add(fmt::format("{} {}\n", f.sha256, f.name));
  return hash.hex();
}

std::string entry_text(const RegistryEntry& entry) {
  std::string out = fmt::format("{}\nkind {}\nname {}\nversion {}\n", kHead, name(entry.kind),
                                entry.name, entry.version);
  for (const RegistryFile& f : entry.files)
    out += fmt::format("file {} {} {}\n", f.sha256, f.bytes, f.name);
  return out;
}

Result<RegistryEntry> parse_entry(std::string_view text) {
  RegistryEntry out;
  const std::string_view head = take_until('\n', text);
  if (head != kHead || !text.ends_with('\n')) return damaged_line(head);
  while (!text.empty()) {
    const std::string_view line = take_until('\n', text);
    std::string_view value = line;
    const std::string_view key = take_until(' ', value);
    if (!take_line(key, value, out)) return damaged_line(line);
  }
  if (out.name.empty() || out.version.empty()) return damaged_line(head);
  return out;
}

}  // namespace ridge::manifest
