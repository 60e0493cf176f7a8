// SPDX-License-Identifier: Apache-2.0
// Folds of a product on SCALE-Sim's array, and their cycles.
//
// Cycles (systolic_compute_{os,ws,is}.py of SCALE-Sim 2.0.2): every fold fills, streams and drains
// before the next one starts, and an edge fold takes as long as a full one:
//   os: ceil(M/R) * ceil(N/C) folds of R + C + K - 2
//   ws: ceil(K/R) * ceil(N/C) folds of 2R + C + M - 2
//   is: ceil(K/R) * ceil(M/C) folds of 2R + C + N - 2
// and a layer takes folds * cycles per fold - 1. With N:M sparsity (v3), K is the number of rows of
// the filter that are not zero, and the ifmap has the columns that meet them.
//
// Thread rule: pure function. Cost: O(1).
#pragma once

#include <cstdint>

#include "accelerator/gemm.h"
#include "accelerator/scalesim/machine.h"

namespace ridge::accelerator {

struct Folds {
  std::int64_t rows = 0, columns = 0, stream = 0;  ///< M, N, K as the dataflow lays them out
  std::int64_t row_folds = 0, column_folds = 0;
  std::int64_t cycles_of_one = 0;

  std::int64_t count() const { return row_folds * column_folds; }
};
/// Rows of the filter that the array multiplies: all, or those that are not zero.
std::int64_t scalesim_depth(const Gemm& gemm, const ScalesimMachine& machine);
Folds scalesim_folds(const Gemm& gemm, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
