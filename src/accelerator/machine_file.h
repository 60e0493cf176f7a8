// Machine descriptions: TOML with the unit of every figure in its key.
//
//   Machine m = TRY(find_machine("gemmini-16"));          // shipped, or "my.toml"
//   TRY(set_key(m, "array.rows", "32"));                  // --set array.rows=32
//   for (const Key<Machine>& k : machine_keys()) { k.set(m, 2 * k.get(m)); }
//
// data/accelerators/ holds what is shipped, each value with its source. Everything is validated
// with line and column; a file of up to 64 KiB is read. Errors are of the input class, of set_key
// and of names that nothing shipped has of the usage class. Thread rule: pure functions.
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

/// Of that file where the name ends in .toml, else the shipped one. A file without a name of its
/// own lends the machine its.
Result<Machine> find_machine(const std::string& name_or_path);

/// A commented description that reads back, with every key.
std::string_view machine_template();

/// What `--set key=value` does; the machine stays as it was where that is an error.
Result<void> set_key(Machine& machine, std::string_view key, std::string_view value);

/// Every key that is a number, in the order of the template. One that the machine has not (the SRAM
/// of an operand beside a shared one) is 0. `set` takes what set_key would allow.
std::span<const Key<Machine>> machine_keys();

/// One object with the keys of the file, tables as objects; null of what the machine has not.
void write_machine(const Machine& machine, JsonWriter& json);

}  // namespace ridge::accelerator
