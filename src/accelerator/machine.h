// An accelerator that need not exist: an array of multiply-accumulate units, the memories before it
// and a vector unit beside it.
//
//   const Machine m = TRY(shipped_machine("gemmini-16"));      // machine_file.h
//
// Units are in the names: bytes, bits, GB/s (10^9 bytes), MHz, ns. Plain data, no thread rule.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "accelerator/gemm.h"
#include "base/checked.h"

namespace ridge::accelerator {

/// Bits of an element in memory; partial sums have the accumulator's width.
struct Widths {
  PerOperand<std::int64_t> bits = {8, 8, 8};
  std::int64_t accumulator_bits = 32;
  bool floating = false;  ///< numbers of the units: floating point, or integers and fixed point

  auto operator<=>(const Widths&) const = default;
};

/// Bytes of words of so many bits, saturating.
inline std::int64_t word_bytes(std::int64_t words, std::int64_t bits) {
  const auto all = checked_mul(words, bits);
  return all ? ceil_div(*all, 8) : std::numeric_limits<std::int64_t>::max();
}

/// Cycles that DRAM needs for `bytes`, saturating; none where it has no bandwidth of its own.
inline std::int64_t dram_cycles(double bytes, double bytes_per_cycle) {
  if (!(bytes_per_cycle > 0)) return 0;
  const double cycles = std::ceil(bytes / bytes_per_cycle);
  return cycles < 0x1p63 ? static_cast<std::int64_t>(cycles)
                         : std::numeric_limits<std::int64_t>::max();
}

/// What lies between DRAM and the array. Either one memory for the three operands, or one each; an
/// ofmap's holds accumulators.
struct Sram {
  std::int64_t shared_bytes = 0;   ///< 0: each operand its own
  PerOperand<std::int64_t> bytes;  ///< of each; 0 where shared
  std::int64_t banks = 1, ports = 1;
  /// What a port of a bank carries in a cycle; 0: whatever the array asks for. Memories of their
  /// own work side by side, and a port of the ofmap's carries as many accumulators as one of the
  /// ifmap's does elements: rows of the array.
  std::int64_t port_bytes = 0;

  std::int64_t total_bytes() const {
    return shared_bytes > 0 ? shared_bytes : bytes.ifmap + bytes.filter + bytes.ofmap;
  }
};

struct Dram {
  double gb_per_s = 0;  ///< one bandwidth for reads and writes together
  double latency_ns = 0;
};

struct VectorUnit {
  std::int64_t lanes = 0;  ///< elements that it works on in a cycle; 0: there is none
};

struct Machine {
  std::string name;
  std::int64_t rows = 0, columns = 0;  ///< multiply-accumulate units
  Dataflow dataflow = Dataflow::kWeightStationary;
  Widths widths;
  Sram sram;
  Dram dram;
  double clock_mhz = 0;
  VectorUnit vector;
  std::string energy;  ///< name of the table its energy is taken from

  std::int64_t units() const { return rows * columns; }
  double dram_bytes_per_cycle() const { return dram.gb_per_s * 1000 / clock_mhz; }
  double cycle_ns() const { return 1000 / clock_mhz; }
};

}  // namespace ridge::accelerator
