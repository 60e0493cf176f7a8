// SPDX-License-Identifier: Apache-2.0
// Latency of a model from the times of bricks.
//
//   const ModelEstimate e = estimate(network, times);
//   e.total.median, e.layers[7].time.median, e.missing
//
//   estimate      = sum over the parts of the cover + time outside kernels (0 for a model that is
//                   one brick, whole.h)
//   critical path = longest path through the parts + time outside kernels: what a runtime with
//                   enough processors would need at least
//
// A part without a measured brick (not planned, a spent budget, kernels that no brick alone runs)
// is predicted from measured bricks with kernels in common (neighbors.h). Where there are not
// enough of them it is missing, and the model has no total. Intervals: spread.h, neighbors.h.
//
// Thread rule: pure. Cost: as cover().
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/words.h"
#include "bricks/brick_times.h"
#include "bricks/network.h"
#include "bricks/piece.h"

namespace ridge::bricks {

enum class Source : std::uint8_t { kMeasured, kPredicted, kMissing };

}  // namespace ridge::bricks

namespace ridge {

template <>
struct Words<bricks::Source> {
  using Source = bricks::Source;
  static constexpr std::array list{Word{Source::kMeasured, "measured"},
                                   Word{Source::kPredicted, "predicted"},
                                   Word{Source::kMissing, "missing"}};
};

}  // namespace ridge

namespace ridge::bricks {

/// A piece of the model.
struct EstimatedLayer {
  std::vector<graph::NodeId> nodes;  ///< nodes of the model, ascending
  std::string brick;                 ///< key
  stats::Estimate time;              ///< NaN where missing
  Source source = Source::kMeasured;
  std::string why;  ///< it was not measured, or cannot be predicted; "" where measured
};

struct ModelEstimate {
  std::string name;
  stats::Estimate total;  ///< NaN if anything is missing
  double critical_path_ns = 0;
  stats::Estimate outside;
  /// Shares of the time of all parts; 0 without a total.
  double measured_share = 0, predicted_share = 0;
  std::vector<EstimatedLayer> layers;  ///< in the order in which the runtime may execute them
  std::size_t missing = 0;             ///< parts without a time
  std::size_t predicted = 0;           ///< parts whose time is predicted
};

/// Lower bound on the time of a piece in nanoseconds, 0 if unknown.
using BoundOf = std::function<double(const Piece& piece)>;

ModelEstimate estimate(const Network& network, const BrickTimes& times, const BoundOf& bound = {});

}  // namespace ridge::bricks
