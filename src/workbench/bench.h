// Works through a matrix, cell by cell in a seeded order, within a time, and keeps every run in a
// store at once, so that the same call goes on where one was stopped.
//
//   TRY(measure_matrix(matrix, runtimes, keeper, {.budget_s = 600, .seed = 1}));
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workbench/matrix.h"
#include "workbench/run_keeper.h"

namespace ridge::workbench {

struct BenchPlan {
  std::optional<double> budget_s;  ///< of all cells together; none: each process takes its own time
  std::uint64_t seed = 1;
};

/// Measures the cells that wait; a cell that fails is reported and recorded, and the others go on.
/// Errors: those of the store, and of roofs that could not be measured.
Result<void> measure_matrix(Matrix& matrix, const Runtimes& runtimes, RunKeeper& keeper,
                            const BenchPlan& plan);

/// 0 to n-1 in an order that only the seed decides, so that a drift of the machine affects no model
/// or runtime in particular.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed);

}  // namespace ridge::workbench
