// SPDX-License-Identifier: Apache-2.0
// The tensors that each run of a check of values fetches, so that no run keeps more than a limit.
//
//   const ValuePlan plan = plan_values(tensors, originals, {});
//   for (const ValueBatch& batch : plan.batches) ...   // fetch both lists, compare all pairs
//
// Every tensor meets every original of a size that it may have, in some batch. Thread rule: pure.
// Cost: O(pairs of equal size).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/model.h"

namespace ridge::measure {

/// Tensor of the runtime's optimized graph.
struct TriedTensor {
  graph::ValueId value = graph::kNone;
  std::int64_t bytes = 0;
};

/// Tensor of the model, and the sizes that it may have in the optimized graph: its own, or with
/// padded channels.
struct OriginalTensor {
  graph::ValueId value = graph::kNone;
  std::int64_t bytes = 0;
  std::vector<std::int64_t> sizes;  ///< none smaller than `bytes`
};

struct ValueLimits {
  std::int64_t batch_bytes = std::int64_t{128} << 20;  ///< values of one run, of both graphs
  std::size_t batches = 32;
};

struct ValueBatch {
  std::vector<graph::ValueId> tensors, originals;
};

struct ValuePlan {
  std::vector<ValueBatch> batches;
  /// Tensors that the limits leave out: larger than half of a run's limit, or beyond the last run.
  std::vector<graph::ValueId> left_out;
};

ValuePlan plan_values(std::span<const TriedTensor> tensors,
                      std::span<const OriginalTensor> originals, const ValueLimits& limits);

}  // namespace ridge::measure
