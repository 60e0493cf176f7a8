// SPDX-License-Identifier: Apache-2.0
// A described accelerator, real or hypothetical: an array of multiply-accumulate units, the
// memories that feed it, and a vector unit beside it.
//
//   const Machine m = TRY(shipped_machine("gemmini-16"));      // machine_file.h
//
// The names state the units: bytes, bits, GB/s (10^9 bytes), MHz, ns.
// Plain data, no thread rule.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "accelerator/gemm.h"
#include "base/checked.h"

namespace ridge::accelerator {

/// Bits per element in memory; partial sums have the accumulator's width.
struct Widths {
  PerOperand<std::int64_t> bits = {8, 8, 8};
  std::int64_t accumulator_bits = 32;
  /// true: the units compute in floating point; false: in integer or fixed point
  bool floating = false;

  auto operator<=>(const Widths&) const = default;
};

/// Bytes of `words` words of `bits` bits each, rounded up; saturating.
inline std::int64_t word_bytes(std::int64_t words, std::int64_t bits) {
  const auto all = checked_mul(words, bits);
  return all ? ceil_div(*all, 8) : std::numeric_limits<std::int64_t>::max();
}

/// Cycles that DRAM needs to transfer `bytes`, saturating; 0 where `bytes_per_cycle` is not
/// positive.
inline std::int64_t dram_cycles(double bytes, double bytes_per_cycle) {
  if (!(bytes_per_cycle > 0)) return 0;
  const double cycles = std::ceil(bytes / bytes_per_cycle);
  return cycles < 0x1p63 ? static_cast<std::int64_t>(cycles)
                         : std::numeric_limits<std::int64_t>::max();
}

/// On-chip memories between DRAM and the array: one memory shared by the three operands, or one per
/// operand. The ofmap's memory stores accumulators.
struct Sram {
  std::int64_t shared_bytes = 0;   ///< 0: one memory per operand
  PerOperand<std::int64_t> bytes;  ///< capacity per operand; 0 where shared
  std::int64_t banks = 1, ports = 1;
  /// Bytes that one port of one bank transfers per cycle; 0: no limit. Separate memories transfer
  /// in parallel, and a port of the ofmap's memory transfers as many accumulators per cycle as a
  /// port of the ifmap's transfers elements (usually one per row of the array).
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
  std::int64_t lanes = 0;  ///< elements processed per cycle; 0: no vector unit
};

struct Machine {
  std::string name;
  std::int64_t rows = 0, columns = 0;  ///< size of the array, in multiply-accumulate units
  Dataflow dataflow = Dataflow::kWeightStationary;
  Widths widths;
  Sram sram;
  Dram dram;
  double clock_mhz = 0;
  VectorUnit vector;
  /// true: tiles are loaded and stored while the array works; false: before and after it
  bool double_buffered = true;
  std::string energy;  ///< name of the machine's energy table

  std::int64_t units() const { return rows * columns; }
  double dram_bytes_per_cycle() const { return dram.gb_per_s * 1000 / clock_mhz; }
  double cycle_ns() const { return 1000 / clock_mhz; }
};

}  // namespace ridge::accelerator
