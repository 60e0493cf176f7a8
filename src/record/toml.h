// SPDX-License-Identifier: Apache-2.0
// Described values as TOML, for files that people write.
//
//   Machine m = TRY(read_toml<Machine>(text));      // errors: "array.rows, line 4, column 8: ..."
//   std::string file = toml_text(m);
//   std::string example = toml_text(m, Comments::kMeaning);   // each key with its meaning
//
// Read as a file of people (json_read.h). Scalars stand before tables; what is null is left out
// (with meanings: a comment), and so is a field with omit_default() that has its default. 64-bit
// integers beyond 2^53 stand in quotes. Limits and syntax: base/toml.h, values nested four deep.
// Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/toml.h"
#include "record/describe.h"

namespace ridge::record {

enum class Comments : std::uint8_t { kNone, kMeaning };

/// A file as JSON, and the place of each node that JsonTree (json_tree.h) has of it.
struct TomlAsJson {
  std::string json;
  std::vector<Place> places;
};

Result<TomlAsJson> toml_as_json(std::string_view text);

/// Reads into a value that has its defaults.
Result<void> read_toml(std::string_view text, const Type& type, void* out);

template <typename T>
Result<T> read_toml(std::string_view text) {
  T out{};
  TRY(read_toml(text, kType<T>, &out));
  return out;
}

std::string toml_text(const Type& type, const void* value, Comments comments = Comments::kNone);

template <typename T>
std::string toml_text(const T& value, Comments comments = Comments::kNone) {
  return toml_text(kType<T>, &value, comments);
}

}  // namespace ridge::record
