// SPDX-License-Identifier: Apache-2.0
// Machine descriptions: TOML with the unit of each figure in its key.
//
//   Machine m = TRY(find_machine("gemmini-16"));          // shipped, or "my.toml"
//   TRY(set_key(m, "array.rows", "32"));                  // --set array.rows=32
//
// describe.h has the keys. data/accelerators/ contains the shipped descriptions, each
// value with its source. All input is validated; errors state the key, line and column. Files of up
// to 64 KiB are read. Errors are of the input class; errors of set_key and unknown names of shipped
// machines are of the usage class.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/machine.h"
#include "base/result.h"

namespace ridge::accelerator {

Result<Machine> read_machine(std::string_view text);

std::vector<std::string> shipped_machine_names();
Result<Machine> shipped_machine(std::string_view name);

/// Reads the file if the name ends in .toml, else returns the shipped machine. A machine without a
/// name is named after its file.
Result<Machine> find_machine(const std::string& name_or_path);

/// Description with every key and its meaning; read_machine accepts it.
std::string_view machine_template();

/// Implements `--set key=value`; leaves the machine unchanged on error.
Result<void> set_key(Machine& machine, std::string_view key, std::string_view value);

}  // namespace ridge::accelerator
