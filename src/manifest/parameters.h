// SPDX-License-Identifier: Apache-2.0
// The parameters of inputs and outputs that manifests know, as a table.
//
//   const ParameterRow* row = parameter_row("input_layer", TensorRole::kInput);   // its row: layer
//   std::string value = TRY(parameter_value(*row, toml));
//
// Thread rule: pure; static storage.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::manifest {

enum class TensorRole : std::uint8_t { kInput, kOutput };

struct ParameterRow {
  enum class Kind : std::uint8_t { kText, kWord, kNumber, kNumbers, kTruth };
  enum class Where : std::uint8_t { kInput, kOutput, kBoth };

  std::string_view name;
  std::string_view aliases;  ///< separated by blanks
  Kind kind = Kind::kText;
  Where where = Where::kBoth;
  std::string_view allowed;  ///< if kWord: separated by blanks
};

std::span<const ParameterRow> parameter_rows();

/// Row of a name or alias; nullptr if there is none.
const ParameterRow* parameter_row(std::string_view name, TensorRole role);

/// Value as text: numbers as decimals, lists separated by ", ".
Result<std::string> parameter_value(const ParameterRow& row, const Toml& value);

}  // namespace ridge::manifest
