// SPDX-License-Identifier: Apache-2.0
// The figures of one place of a grid (grid.h says what they are). Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stats/estimate.h"

namespace ridge::lab {

/// A figure of which nothing is known.
inline stats::Estimate unknown_estimate() {
  return {.value = std::numeric_limits<double>::quiet_NaN(), .interval = {}, .samples = 0};
}

struct BatchThroughput {
  std::int64_t batch = 1;
  stats::Estimate items_per_s = unknown_estimate();
  std::int64_t runs = 0, processes = 0;
};

struct GridCell {
  std::size_t row = 0, column = 0;  ///< positions in Grid::rows, Grid::columns
  std::string host;                 ///< machine of the setting
  std::string setting;              ///< facts beside the keys: "ONNX Runtime 1.20.1, 2 threads"
  std::int64_t recorded_s = 0;      ///< when the newest of it was stored
  std::string accuracy_metric;      ///< "top1"; "" without accuracy
  stats::Estimate accuracy = unknown_estimate();
  std::optional<std::int64_t> latency_batch;  ///< batch of the latencies; nullopt for evaluations
  stats::Estimate median_ns = unknown_estimate();
  stats::Estimate trimmed_mean_ns = unknown_estimate();
  stats::Estimate p90_ns = unknown_estimate();
  stats::Estimate items_per_s = unknown_estimate();  ///< the largest
  std::optional<std::int64_t> items_batch;           ///< where it is
  std::optional<std::int64_t> params;                ///< parameters of the model
  stats::Estimate cost_per_million = unknown_estimate();
  stats::Estimate speed_up = unknown_estimate();
  std::int64_t runs = 0, processes = 0, samples = 0;
  std::string validity;  ///< "valid", ... of the evaluation that gives the times; "" for runs
  std::int64_t evaluations = 0;  ///< number that fit the cell; the newest with a figure gives it
  std::int64_t left_out = 0;     ///< runs of older settings
  std::vector<BatchThroughput> batches;
};

}  // namespace ridge::lab
