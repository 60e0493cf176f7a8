// Energy per event of a machine, from a named table, and of a layer's events.
//
//   const EnergyRates r = energy_rates(machine, table);
//   layer.energy = energy_of(layer, r);
//
// E = MACs x mac + words of each memory x its energy per word + cycles x leakage: linear in the
// counts, so that a search can weigh mappings by it. Thread rule: pure functions.
#pragma once

#include "accelerator/cost.h"
#include "accelerator/machine.h"

namespace ridge::accelerator {

struct EnergyTable;  // energy_table.h

/// Picojoules of each event on one machine.
struct EnergyRates {
  double mac = 0;            ///< multiply, add, and what moves through the unit's registers apart
  double register_file = 0;  ///< of one multiply-accumulate
  PerOperand<double> sram_read, sram_write;  ///< of a word; ofmap: of an accumulator
  double dram_byte = 0;                      ///< read or written
  double leakage_cycle = 0;
};

EnergyRates energy_rates(const Machine& machine, const EnergyTable& table);

/// Of a layer whose counts, bytes and cycles are known; words that DRAM delivers are written to the
/// SRAM once, words that leave for it are read from there once.
Energy energy_of(const LayerCost& layer, const EnergyRates& rates);

}  // namespace ridge::accelerator
