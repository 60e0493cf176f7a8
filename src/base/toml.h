// SPDX-License-Identifier: Apache-2.0
// TOML as plain values with their source positions, for hand-written descriptions.
//
//   Toml file = TRY(read_toml(text));
//   for (const TomlMember& m : file.members) ...;   // in the order of the file
//
// Bounded: 64 KiB, lines of 500 bytes, values nested four deep. Exceeding a bound, invalid TOML and
// a duplicate key are input errors. Errors state line and column (from 1, in characters).
// Plain data, no thread rule. toml.cc is the only file that uses the TOML library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge {

inline constexpr std::size_t kMaxTomlBytes = std::size_t{64} << 10;

struct Place {
  std::uint32_t line = 0, column = 0;

  std::string text() const;  ///< "line 3, column 8"; "" for a value from no file
  auto operator<=>(const Place&) const = default;
};

struct TomlMember;

struct Toml {
  enum class Kind : std::uint8_t { kTable, kArray, kNumber, kText, kTruth, kTime };

  Kind kind = Kind::kTable;
  Place place;
  double number = 0;                ///< if kNumber; integers above 2^53 are rounded
  std::string text;                 ///< if kText
  bool truth = false;               ///< if kTruth
  std::vector<TomlMember> members;  ///< if kTable, in file order
  std::vector<Toml> items;          ///< if kArray
};

struct TomlMember {
  std::string key;
  Place place;
  Toml value;
};

/// Returns "a table", "a number", "text", ...
std::string_view name(Toml::Kind kind);

Result<Toml> read_toml(std::string_view text);

}  // namespace ridge
