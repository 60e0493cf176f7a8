// SPDX-License-Identifier: Apache-2.0
#include "accelerator/scalesim/folds.h"

#include "base/checked.h"

namespace ridge::accelerator {

std::int64_t scalesim_depth(const Gemm& g, const ScalesimMachine& machine) {
  return machine.sparse ? g.sparsity.rows(g.k) : g.k;
}

Folds scalesim_folds(const Gemm& g, const ScalesimMachine& machine) {
  const std::int64_t depth = scalesim_depth(g, machine);
  Folds f;
  std::int64_t loading = 0;
  switch (machine.dataflow) {
    case Dataflow::kOutputStationary:
      f = {g.m, g.n, depth};
      break;
    case Dataflow::kWeightStationary:
      f = {depth, g.n, g.m}, loading = machine.rows;
      break;
    case Dataflow::kInputStationary:
      f = {depth, g.m, g.n}, loading = machine.rows;
      break;
  }
  f.row_folds = ceil_div(f.rows, machine.rows);
  f.column_folds = ceil_div(f.columns, machine.columns);
  f.cycles_of_one = loading + machine.rows + machine.columns + f.stream - 2;
  return f;
}

}  // namespace ridge::accelerator
