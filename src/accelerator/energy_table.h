// SPDX-License-Identifier: Apache-2.0
// Named table of energies of one process node, with its source.
// Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ridge::accelerator {

/// Multiply-accumulate of operands of `bits` into an accumulator of `accumulator_bits`.
struct MacEnergy {
  std::int64_t bits = 0, accumulator_bits = 0;
  bool floating = false;
  double pj = 0;
};

/// Addition and multiplication of two numbers of `bits`.
struct ArithmeticEnergy {
  std::int64_t bits = 0;
  bool floating = false;
  double add_pj = 0, multiply_pj = 0;
};

/// SRAM with one bank.
struct SramEnergy {
  std::int64_t bytes = 0;  ///< capacity
  double read_pj_per_byte = 0, write_pj_per_byte = 0;
  double leakage_mw = 0;
};

struct EnergyTable {
  std::string name, source;
  double node_nm = 0;
  std::vector<MacEnergy> macs;               ///< by format, narrowest first in each
  std::vector<ArithmeticEnergy> arithmetic;  ///< in the same order; may be empty
  double register_pj_per_byte = 0;
  std::vector<SramEnergy> srams;  ///< smallest first
  double dram_pj_per_bit = 0;
};

}  // namespace ridge::accelerator
