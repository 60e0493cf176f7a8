// Machine descriptions: TOML with the unit of each figure in its key.
//
//   Machine m = TRY(find_machine("gemmini-16"));          // shipped, or "my.toml"
//   TRY(set_key(m, "array.rows", "32"));                  // --set array.rows=32
//   for (const Key<Machine>& k : machine_keys()) { k.set(m, 2 * k.get(m)); }
//
// data/accelerators/ contains the shipped descriptions, each value with its source. All input is
// validated; errors state line and column. Files of up to 64 KiB are read. Errors are of the input
// class; those of set_key and unknown names of shipped machines are of the usage class.
// Thread rule: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/keys.h"
#include "accelerator/machine.h"
#include "base/json_writer.h"
#include "base/result.h"

namespace ridge::accelerator {

Result<Machine> read_machine(std::string_view text);

std::vector<std::string> shipped_machine_names();
Result<Machine> shipped_machine(std::string_view name);

/// Reads the file if the name ends in .toml, else returns the shipped machine. A machine without a
/// name is named after its file.
Result<Machine> find_machine(const std::string& name_or_path);

/// Commented description with every key; read_machine accepts it.
std::string_view machine_template();

/// Implements `--set key=value`; leaves the machine unchanged on error.
Result<void> set_key(Machine& machine, std::string_view key, std::string_view value);

/// Every key that is a number, in template order. A key that the machine does not have (an
/// operand's own SRAM beside a shared one) reads as 0. `set` requires a value that set_key would
/// accept.
std::span<const Key<Machine>> machine_keys();

/// Writes one object with the keys of the file, tables as objects; null for a key that the machine
/// does not have.
void write_machine(const Machine& machine, JsonWriter& json);

}  // namespace ridge::accelerator
