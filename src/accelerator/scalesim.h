// The cost of a product as SCALE-Sim v2 reckons it, to the integer where it follows a law.
//
//   ScalesimCost c = scalesim(gemm, machine);  // of one of `gemm.count`
//   c.cycles  // Total Cycles - Stall Cycles of COMPUTE_REPORT.csv
//
// Cycles (systolic_compute_{os,ws,is}.py of SCALE-Sim 2.0.2): every fold fills, streams and drains
// before the next one starts, an edge fold costs what a full one does:
//   os: ceil(M/R) * ceil(N/C) folds of R + C + K - 2
//   ws: ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2
//   is: ceil(K/R) * ceil(M/C) folds of 2R + C + N - 2
// and a layer takes folds * cycles of a fold - 1.
//
// DRAM words, mode CALC (read_buffer_estimate_bw.py): half of an SRAM is filled with the distinct
// elements that the array asks for, in the order of the skewed streams; once it is full all of it
// is dropped. The ofmap is written as it leaves the array, partial sums of every fold along K too,
// and never read back (write_buffer.py). A word is one byte.
// Cost: O(M K ceil(N/C)) and the like in the worst case, one step per element that the array is fed;
// an operand that fits takes one pass. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "accelerator/gemm.h"

namespace ridge::accelerator {

struct ScalesimMachine {
  std::int64_t rows = 32, columns = 32;
  Dataflow dataflow = Dataflow::kOutputStationary;
  PerOperand<std::int64_t> sram_bytes;
};

struct ScalesimCost {
  std::int64_t folds = 0;
  std::int64_t cycles = 0;        ///< without stalls
  PerOperand<std::int64_t> sram;  ///< words: ifmap and filter read, ofmap written
  /// The same way round; nullopt where the array asks for more than 2^32 elements of an operand.
  std::optional<PerOperand<std::int64_t>> dram;
};

/// Folds and cycles alone, in constant time.
struct Folds {
  std::int64_t rows = 0, columns = 0, stream = 0;  ///< M, N, K as the dataflow lays them out
  std::int64_t row_folds = 0, column_folds = 0;
  std::int64_t cycles_of_one = 0;

  std::int64_t count() const { return row_folds * column_folds; }
};
Folds scalesim_folds(const Gemm& gemm, const ScalesimMachine& machine);

ScalesimCost scalesim(const Gemm& gemm, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
