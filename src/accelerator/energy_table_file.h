// SPDX-License-Identifier: Apache-2.0
// Reads energy tables: TOML with units in the keys and the source of the figures.
//
//   EnergyTable t = TRY(find_energy_table("horowitz-45nm"));   // shipped, or "my.toml"
//
// A table has at least one `mac` row, one `sram` row and a DRAM energy. Registers, leakage and
// `arithmetic` rows are optional; `lacks` (energy.h) lists what a total then omits. Errors: as in
// machine_file.h.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/energy_table.h"
#include "base/result.h"

namespace ridge::accelerator {

Result<EnergyTable> read_energy_table(std::string_view text);

std::vector<std::string> shipped_energy_table_names();
Result<EnergyTable> shipped_energy_table(std::string_view name);
std::vector<EnergyTable> shipped_energy_tables();

/// Reads the file if the name ends in .toml, else returns the shipped table. A file's table is
/// named after the file.
Result<EnergyTable> find_energy_table(const std::string& name_or_path);

}  // namespace ridge::accelerator
