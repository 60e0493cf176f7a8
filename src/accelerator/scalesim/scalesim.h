// The cost of a product as SCALE-Sim v2 reckons it, to the integer where it follows a law.
//
//   LayerCost c = scalesim(gemm, machine);  // of one of `gemm.count`
//   c.compute_cycles  // Total Cycles - Stall Cycles of COMPUTE_REPORT.csv
//
// Cycles (systolic_compute_{os,ws,is}.py of SCALE-Sim 2.0.2): every fold fills, streams and drains
// before the next one starts, an edge fold costs what a full one does:
//   os: ceil(M/R) * ceil(N/C) folds of R + C + K - 2
//   ws: ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2
//   is: ceil(K/R) * ceil(M/C) folds of 2R + C + N - 2
// and a layer takes folds * cycles of a fold - 1.
//
// Words of DRAM and stalls: the array's demands are followed cycle by cycle through its buffers as
// SCALE-Sim has them (half_buffer.h for mode CALC, prefetcher.h for mode USER, write_buffer.h), to
// the word. A word is one byte there; what lies in the padding is not read. Partial sums of every
// fold along K are written with the ofmap and never read back.
// Cost: a step per element that passes an edge of the array, about a nanosecond each; in mode USER
// a step per word prefetched as well. Thread rule: pure functions.
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
  /// Words per cycle of each operand's port (mode USER); nullopt is mode CALC, in which nothing
  /// stalls.
  std::optional<std::int64_t> bandwidth;
};

/// In mode CALC; a shared SRAM is a third for each operand, since SCALE-Sim has no shared one.
ScalesimMachine scalesim_machine(const Machine& machine);

/// Folds and cycles alone, in constant time.
struct Folds {
  std::int64_t rows = 0, columns = 0, stream = 0;  ///< M, N, K as the dataflow lays them out
  std::int64_t row_folds = 0, column_folds = 0;
  std::int64_t cycles_of_one = 0;

  std::int64_t count() const { return row_folds * column_folds; }
};
Folds scalesim_folds(const Gemm& gemm, const ScalesimMachine& machine);

/// Folds, cycles, stalls and words of one of `gemm.count` products. `dram` is nullopt, and no
/// stalls are known, where the array asks for more than 2^32 elements of an operand or takes as
/// many cycles.
LayerCost scalesim(const Gemm& gemm, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
