// SPDX-License-Identifier: Apache-2.0
// Runs without the graph that the runtime executed, for tests.
#pragma once

#include <vector>

#include "advice/placed_layers.h"
#include "analysis/testing.h"

namespace ridge::advice::testing {

/// Edges where no layer has a counterpart in the executed graph: all without nodes are in chains.
inline std::vector<LayerEdge> chained(const profile::Profile& run) {
  const analysis::Resolved model =
      analysis::testing::resolved("graph main\n input x[1]\n output x");
  const attribution::OptimizedGraph kernels;
  const attribution::Attribution layers;
  return placed_layers(run, {&model, &kernels, &layers});
}

}  // namespace ridge::advice::testing
