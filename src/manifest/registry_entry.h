// SPDX-License-Identifier: Apache-2.0
// Entry of a registry for one name and version: its files, by SHA-256 and size.
//
//   std::string text = entry_text(entry);
//   RegistryEntry same = TRY(parse_entry(text));
//
// The text has one line per fact: `kind model`, `name ...`, `version ...`, and for each file
// `file SHA256 BYTES NAME`. The reader takes hostile text: names stay below the folder they are
// unpacked to. Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::manifest {

enum class EntryKind : std::uint8_t { kModel, kDataset, kLabels };

std::string_view name(EntryKind kind);
Result<EntryKind> parse_entry_kind(std::string_view text);

struct RegistryFile {
  std::string name;    ///< relative, with slashes
  std::string sha256;  ///< 64 digits
  std::int64_t bytes = 0;

  bool operator==(const RegistryFile&) const = default;
};

struct RegistryEntry {
  EntryKind kind = EntryKind::kModel;
  std::string name, version;
  std::vector<RegistryFile> files;  ///< by name

  /// SHA-256 of the names and hashes of all files: equal digests, equal content.
  std::string digest() const;
  /// "digits@1.0.0".
  std::string reference() const { return name + "@" + version; }
  bool operator==(const RegistryEntry&) const = default;
};

/// Relative, without empty parts, "." and "..", control characters or backslashes; at most 500
/// bytes.
bool is_file_name(std::string_view name);

std::string entry_text(const RegistryEntry& entry);
Result<RegistryEntry> parse_entry(std::string_view text);

}  // namespace ridge::manifest
