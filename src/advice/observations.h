// SPDX-License-Identifier: Apache-2.0
// Findings that a measured run shows by itself: where its time lies above the bound, and what it
// does beside the work of the model. None is an edit, so none has a predicted gain.
//
//   for (Finding& f : observations(run, {.model = "model.onnx", .cache_bytes = 33'000'000}))
//
//   distance           Q1  layers with most of the time above the bounds
//   inserted           Q4  reorders, casts and copies that the runtime inserted
//   shape_arithmetic   Q4  integer arithmetic on shapes and indices
//   outside_layers     Q4  time between layers: scheduling, input and output handling
//   weights_reread         weights that no cache keeps, so that every run reads them from memory
//
// Thread rule: pure. Cost: O(layers log layers).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "advice/record/advice.h"

namespace ridge::advice {

struct Observed {
  std::string model;             ///< as on the command line
  std::int64_t cache_bytes = 0;  ///< all caches that the threads reach; 0: unknown
};

/// Least parts of the latency for a finding.
inline constexpr double kMinDistance = 0.10, kMinOverhead = 0.02;

std::vector<Finding> observations(const profile::Profile& run, const Observed& observed);

}  // namespace ridge::advice
