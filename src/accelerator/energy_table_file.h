// Energy tables: TOML, units in the keys, every figure with its source.
//
//   EnergyTable t = TRY(find_energy_table("horowitz-45nm"));   // shipped, or "my.toml"
//
// A table has at least one row of `mac` and one of `sram`, and an energy of DRAM; registers,
// leakage and rows of `arithmetic` may be left out, then nothing is told of them (lacks in
// energy.h). Errors as of machine_file.h. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "accelerator/energy_table.h"
#include "base/result.h"

namespace ridge::accelerator {

/// "int" or "float".
std::string_view format_name(bool floating);
Result<bool> parse_format(std::string_view text);

Result<EnergyTable> read_energy_table(std::string_view text);

std::vector<std::string> shipped_energy_table_names();
Result<EnergyTable> shipped_energy_table(std::string_view name);
std::vector<EnergyTable> shipped_energy_tables();

/// Of that file where the name ends in .toml, else the shipped one.
Result<EnergyTable> find_energy_table(const std::string& name_or_path);

}  // namespace ridge::accelerator
