// SPDX-License-Identifier: Apache-2.0
// Energy per event of a machine, from a named table, and energy of a layer from its event counts.
//
//   const EnergyRates r = TRY(energy_rates(machine, table));
//   layer.energy = energy_of(layer, r);
//   const auto band = energy_band(machine, totals, shipped_energy_tables());
//   for (const std::string& what : lacks(machine, table)) ...  // terms that the total omits
//
// E = MACs x mac + operations of the vector unit x vector + words of each memory x its energy per
// word + cycles x leakage: linear in the counts, so that a search can compare mappings by it. The
// kinds of vector operations are not distinguished: each costs the mean of an addition and a
// multiplication, and a band spans from all operations being the one to all being the other.
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accelerator/cost.h"
#include "accelerator/machine.h"
#include "base/result.h"

namespace ridge::accelerator {

struct EnergyTable;  // energy_table.h

/// Energy per event on one machine, in picojoules.
struct EnergyRates {
  double mac = 0;            ///< multiply and add, without register accesses of the unit
  double register_file = 0;  ///< register accesses of one multiply-accumulate
  PerOperand<double> sram_read, sram_write;  ///< per word; ofmap: per accumulator
  double dram_byte = 0;                      ///< per byte read or written
  double leakage_cycle = 0;
  double vector_add = 0, vector_multiply = 0;  ///< 0: no row of the table is wide enough
  std::string mac_row = {};     ///< row used for `mac`, possibly a wider one: "int8 into int32"
  std::string vector_row = {};  ///< "int32"; "" if there is no row

  double vector() const { return (vector_add + vector_multiply) / 2; }
};

/// Rates of a machine according to a table. MAC: the narrowest row of the operands' format that is
/// wide enough, first by factor width, then by accumulator width. Registers: each factor is read
/// into one register, the sum is written to and read from one. SRAM: the energy of one bank,
/// interpolated linearly over the square root of the size between two rows of the table,
/// proportional to it outside them (bit and word lines grow with the side of the bank); leakage is
/// interpolated over the size. The vector unit uses the row for numbers of the accumulator's width.
/// Error (input class): no multiply-accumulate row is wide enough.
Result<EnergyRates> energy_rates(const Machine& machine, const EnergyTable& table);

/// Energy terms that a total by this table omits: "registers", "leakage", and, if the machine has a
/// vector unit, "vector operations".
std::vector<std::string> lacks(const Machine& machine, const EnergyTable& table);

/// Energy of a layer whose counts, bytes and cycles are known. A word loaded from DRAM is written
/// to the SRAM once; a word stored to DRAM is read from the SRAM once.
Energy energy_of(const LayerCost& layer, const EnergyRates& rates);

/// Lowest and highest energy of the same counts over several tables, with all vector operations
/// taken as the cheaper or the more expensive kind.
struct EnergyBand {
  double low_pj = 0, high_pj = 0;
  std::string low, high;            ///< the tables' names
  std::vector<std::string> tables;  ///< all that cover the machine
  std::vector<std::string> unable;  ///< tables without a row that is wide enough

  /// Adds the estimate of one more table.
  void take(const std::string& table, double min_pj, double max_pj);
};

/// nullopt if no table covers the machine.
std::optional<EnergyBand> energy_band(const Machine& machine, const LayerCost& totals,
                                      std::span<const EnergyTable> tables);

}  // namespace ridge::accelerator
