// SPDX-License-Identifier: Apache-2.0
// Access to one table of a manifest, key by key; keys that nobody asked for are refused at the end.
//
//   Fields fields(table);
//   model.name = TRY(fields.required("name"));
//   model.license = TRY(fields.text("license"));
//   TRY(fields.finish());          // "unknown key 'licence'; did you mean 'license'?"
//
// Numbers that stand for text ("version: 1.0") keep their spelling in YAML; TOML must quote them.
// Errors: input class, with line and column. Borrows the table. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::manifest {

class Fields {
 public:
  explicit Fields(const Toml& table) : table_(table) {}

  /// Value of a key; nullptr if it is absent or null.
  const Toml* take(std::string_view key);
  /// Text of a key; "" if it is absent.
  Result<std::string> text(std::string_view key);
  Result<std::string> required(std::string_view key);
  Result<bool> truth(std::string_view key);
  /// A list of texts, or one text.
  Result<std::vector<std::string>> texts(std::string_view key);
  /// Whole number from 1 on; nullopt if it is absent.
  Result<std::optional<std::int64_t>> count(std::string_view key);
  /// A table; nullptr if it is absent.
  Result<const Toml*> table(std::string_view key);
  /// The tables of an array.
  Result<std::vector<const Toml*>> tables(std::string_view key);
  /// Refuses keys that were never asked for.
  Result<void> finish() const;

  Place place() const { return table_.place; }

 private:
  const Toml& table_;
  std::vector<std::string> known_;
};

/// Text of a scalar; `key` is named in the error.
Result<std::string> scalar_text(const Toml& value, std::string_view key);
/// Scalar, or scalars of a list separated by ", ".
Result<std::string> scalars_text(const Toml& value, std::string_view key);

/// Shortest decimal digits that parse to the same number; no exponent below 10^15.
std::string number_text(double value);

Error wrong_kind(const Toml& value, std::string_view key, std::string_view expected);

/// Value that is not one of those that are allowed, with the nearest of them as a hint.
Error not_allowed(const Toml& value, std::string_view key, std::string_view given,
                  const std::vector<std::string>& allowed);

}  // namespace ridge::manifest
