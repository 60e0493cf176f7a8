// SPDX-License-Identifier: Apache-2.0
// The int8 copy of a model: the runtime itself measures the ranges of activations.
//
//   const measure::Column column{&resolved, request};
//   const analysis::Resolved copy = TRY(int8_copy(column));
//   const OutputDifference d = TRY(compare_outputs(column, {&copy, request}));
//
// The copy has the weights that a run of the column has: from the file or the recipe of a network
// of the zoo; for a weight that the file stores as one repeated value, the seeded elements that
// take its place in a run (attribution/canonical.h), unless the request keeps weights as they are.
// Those of the bodies of control flow and of functions stay as they are.
//
// Thread rule: one thread. Cost: kCalibrationRuns runs, and as many again for every
// kCalibrationBytes of activations. Errors: the runtime's, and as rewrite::quantized.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "measure/request.h"
#include "rewrite/quantize.h"

namespace ridge::advice {

/// One run if the request has a file for every input. The seeds differ from compare_outputs()'s.
inline constexpr std::uint64_t kCalibrationRuns = 10;
/// Limit on the activations that are read from one run.
inline constexpr std::int64_t kCalibrationBytes = std::int64_t{256} << 20;

/// Least and greatest elements of float32 tensors of the main graph. `max_bytes`: as
/// kCalibrationBytes. Input errors: a tensor that the runtime does not return (RIDGE-WB-0095), one
/// with NaN or infinite elements (RIDGE-WB-0096).
Result<rewrite::Ranges> calibrate(const measure::Column& model,
                                  std::span<const graph::ValueId> values,
                                  std::int64_t max_bytes = kCalibrationBytes);

/// Errors: as rewrite::quantized and calibrate().
Result<analysis::Resolved> int8_copy(const measure::Column& model);

}  // namespace ridge::advice
