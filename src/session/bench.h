// SPDX-License-Identifier: Apache-2.0
// Measures the waiting cells of a matrix in a seeded random order, within a time budget. Each run
// is stored as soon as it is measured, so that a later call can resume an interrupted one.
//
//   TRY(measure_matrix(matrix, runtimes, recorder, {.budget_s = 600, .seed = 1}));
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "session/matrix.h"
#include "session/run_recorder.h"

namespace ridge::session {

struct BenchPlan {
  std::optional<double> budget_s;  ///< for all cells together; nullopt: the budget of each spec
  std::uint64_t seed = 1;
};

/// Measures the waiting cells. A cell that fails is reported and recorded; the others are still
/// measured. Errors: the store's, and as measuring the roofs.
Result<void> measure_matrix(Matrix& matrix, const Runtimes& runtimes, RunRecorder& recorder,
                            const BenchPlan& plan);

/// Permutation of 0 to n-1 that depends only on the seed. The random order keeps drift of the
/// machine from favoring a model or a runtime.
std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed);

}  // namespace ridge::session
