#include "accelerator/scalesim/folds.h"

#include "base/checked.h"

namespace ridge::accelerator {

Folds scalesim_folds(const Gemm& g, const ScalesimMachine& machine) {
  Folds f;
  std::int64_t loading = 0;
  switch (machine.dataflow) {
    case Dataflow::kOutputStationary:
      f = {g.m, g.n, g.k};
      break;
    case Dataflow::kWeightStationary:
      f = {g.k, g.n, g.m}, loading = machine.rows;
      break;
    case Dataflow::kInputStationary:
      f = {g.k, g.m, g.n}, loading = machine.rows;
      break;
  }
  f.row_folds = ceil_div(f.rows, machine.rows);
  f.column_folds = ceil_div(f.columns, machine.columns);
  f.cycles_of_one = loading + machine.rows + machine.columns + f.stream - 2;
  return f;
}

}  // namespace ridge::accelerator
