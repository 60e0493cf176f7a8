// SPDX-License-Identifier: Apache-2.0
// Cost of a product by the model of SCALE-Sim (v2; of v3, N:M sparsity in mode CALC), exact to the
// integer wherever it follows a formula.
//
//   LayerCost c = scalesim(gemm, machine);  // cost of one of the `gemm.count` products
//   c.compute_cycles  // Total Cycles - Stall Cycles of COMPUTE_REPORT.csv
//
// Cycles: folds.h.
// Words of DRAM and stalls: the array's requests are simulated cycle by cycle through SCALE-Sim's
// buffers (half_buffer.h for mode CALC, prefetcher.h for mode USER, write_buffer.h), exact to the
// word. A word is one byte in SCALE-Sim; padding is not read. The partial sums of every fold along
// K are written with the ofmap and never read back.
// Cost: one step per element that crosses an edge of the array, about a nanosecond each; in mode
// USER also one step per prefetched word.
// Thread rule: pure functions.
#pragma once

#include "accelerator/cost.h"
#include "accelerator/gemm.h"
#include "accelerator/scalesim/machine.h"

namespace ridge::accelerator {

/// Folds, cycles, stalls and words of one of the `gemm.count` products. `dram` is nullopt, and
/// stalls are unknown, where the array requests more than 2^32 elements of an operand or takes more
/// than 2^32 cycles, or, in mode USER, where an operand has more than about 2^27 elements to
/// prefetch.
LayerCost scalesim(const Gemm& gemm, const ScalesimMachine& machine);

}  // namespace ridge::accelerator
