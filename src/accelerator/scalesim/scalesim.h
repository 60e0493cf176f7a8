// Cost of a product by the model of SCALE-Sim v2, exact to the integer wherever it follows a
// formula.
//
//   LayerCost c = scalesim(gemm, machine);  // cost of one of the `gemm.count` products
//   c.compute_cycles  // Total Cycles - Stall Cycles of COMPUTE_REPORT.csv
//
// Cycles (systolic_compute_{os,ws,is}.py of SCALE-Sim 2.0.2): every fold fills, streams and drains
// before the next one starts, and an edge fold takes as long as a full one:
//   os: ceil(M/R) * ceil(N/C) folds of R + C + K - 2
//   ws: ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2
//   is: ceil(K/R) * ceil(M/C) folds of 2R + C + N - 2
// and a layer takes folds * cycles per fold - 1.
//
// Words of DRAM and stalls: the array's requests are simulated cycle by cycle through SCALE-Sim's
// buffers (half_buffer.h for mode CALC, prefetcher.h for mode USER, write_buffer.h), exact to the
// word. A word is one byte in SCALE-Sim; padding is not read. The partial sums of every fold along
// K are written with the ofmap and never read back.
// Cost: one step per element that crosses an edge of the array, about a nanosecond each; in mode
// USER also one step per prefetched word.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "accelerator/cost.h"
#include "accelerator/machine.h"

namespace ridge::accelerator {

struct ScalesimMachine {
  std::int64_t rows = 32, columns = 32;
  Dataflow dataflow = Dataflow::kOutputStationary;
  PerOperand<std::int64_t> sram_bytes;
  /// Words per cycle of each operand's port (mode USER); nullopt: mode CALC, which never stalls.
  std::optional<std::int64_t> bandwidth;
};

/// Machine in mode CALC; a shared SRAM is split into a third for each operand, since SCALE-Sim has
/// no shared SRAM.
ScalesimMachine scalesim_machine(const Machine& machine);

/// Folds and cycles only, computed in constant time.
struct Folds {
  std::int64_t rows = 0, columns = 0, stream = 0;  ///< M, N, K as the dataflow lays them out
  std::int64_t row_folds = 0, column_folds = 0;
  std::int64_t cycles_of_one = 0;

  std::int64_t count() const { return row_folds * column_folds; }
};
Folds scalesim_folds(const Gemm& gemm, const ScalesimMachine& machine);

/// Folds, cycles, stalls and words of one of the `gemm.count` products. `dram` is nullopt, and
/// stalls are unknown, where the array requests more than 2^32 elements of an operand or takes more
/// than 2^32 cycles, or, in mode USER, where an operand has more than about 2^27 elements to
/// prefetch.
LayerCost scalesim(const Gemm& gemm, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
