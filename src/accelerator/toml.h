// TOML as plain values with their places, for descriptions that people write by hand.
//
//   Toml file = TRY(read_toml(text));
//   for (const TomlMember& m : file.members) ...;   // in the order of the file
//
// Bounded: 64 KiB, lines of 500 bytes, values nested four deep; more is an input error, as is what
// is no TOML and a key that stands twice. Errors name line and column (from 1, in characters).
// Plain data, no thread rule. toml.cc is the only file that knows the library behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::accelerator {

inline constexpr std::size_t kMostTomlBytes = std::size_t{64} << 10;

struct Place {
  std::uint32_t line = 0, column = 0;

  std::string text() const;  ///< "line 3, column 8"; "" of what stands in no file
  auto operator<=>(const Place&) const = default;
};

struct TomlMember;

struct Toml {
  enum class Kind : std::uint8_t { kTable, kArray, kNumber, kText, kTruth, kTime };

  Kind kind = Kind::kTable;
  Place place;
  double number = 0;                ///< of kNumber; integers past 2^53 are rounded
  std::string text;                 ///< of kText
  std::vector<TomlMember> members;  ///< of kTable
  std::vector<Toml> items;          ///< of kArray
};

struct TomlMember {
  std::string key;
  Place place;
  Toml value;
};

/// "a table", "a number", "text", ...
std::string_view name(Toml::Kind kind);

Result<Toml> read_toml(std::string_view text);

}  // namespace ridge::accelerator
