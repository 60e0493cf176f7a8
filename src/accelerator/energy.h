// Energy per event of a machine, from a named table, and of a layer's events.
//
//   const EnergyRates r = TRY(energy_rates(machine, table));
//   layer.energy = energy_of(layer, r);
//   const auto band = energy_band(machine, totals, shipped_energy_tables());
//   for (const std::string& what : lacks(machine, table)) ...  // what its totals leave out
//
// E = MACs x mac + operations of the vector unit x vector + words of each memory x its energy per
// word + cycles x leakage: linear in the counts, so that a search can weigh mappings by it. Which
// operations the vector unit does is not told apart: each is taken as the mean of an addition and a
// multiplication, and a band reaches from all of them being the one to all being the other.
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

/// Picojoules of each event on one machine.
struct EnergyRates {
  double mac = 0;            ///< multiply, add, and what moves through the unit's registers apart
  double register_file = 0;  ///< of one multiply-accumulate
  PerOperand<double> sram_read, sram_write;  ///< of a word; ofmap: of an accumulator
  double dram_byte = 0;                      ///< read or written
  double leakage_cycle = 0;
  double vector_add = 0, vector_multiply = 0;  ///< 0: the table has no row as wide
  std::string mac_row = {};     ///< the row that `mac` is, perhaps a wider one: "int8 into int32"
  std::string vector_row = {};  ///< "int32"; "" where there is none

  double vector() const { return (vector_add + vector_multiply) / 2; }
};

/// Of a unit that holds the machine's operands: the table's narrowest row of their format that is
/// as wide, factors first, then the sum. Registers: each factor enters one, the sum enters and
/// leaves one. An SRAM's energy is that of one bank: between two sizes of the table on a line over
/// the square root of the size, outside them in proportion to it (bit and word lines grow with the
/// side of the bank); leakage is on a line over the size. A vector unit works on numbers of the
/// accumulator's width. An input error where no row of multiply-accumulates is as wide.
Result<EnergyRates> energy_rates(const Machine& machine, const EnergyTable& table);

/// What a total by this table leaves out: "registers", "leakage", and, if the machine has a vector
/// unit, "vector operations".
std::vector<std::string> lacks(const Machine& machine, const EnergyTable& table);

/// Of a layer whose counts, bytes and cycles are known; words that DRAM delivers are written to the
/// SRAM once, words that leave for it are read from there once.
Energy energy_of(const LayerCost& layer, const EnergyRates& rates);

/// The least and the most that tables say of the same counts, operations of the vector unit being
/// the cheaper or the dearer kind.
struct EnergyBand {
  double low_pj = 0, high_pj = 0;
  std::string low, high;            ///< the tables' names
  std::vector<std::string> tables;  ///< all that can answer for the machine
  std::vector<std::string> unable;  ///< those that cannot: no row as wide

  /// What one more table says.
  void take(const std::string& table, double least_pj, double most_pj);
};

/// Nothing where no table can answer.
std::optional<EnergyBand> energy_band(const Machine& machine, const LayerCost& totals,
                                      std::span<const EnergyTable> tables);

}  // namespace ridge::accelerator
