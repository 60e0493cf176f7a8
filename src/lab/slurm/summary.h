// SPDX-License-Identifier: Apache-2.0
// What became of points that were submitted to Slurm (slurm.h). Plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"

namespace ridge::lab::slurm {

enum class PointEnd : std::uint8_t {
  kOpen,    ///< without an end: the call was stopped
  kBefore,  ///< an earlier call had merged its result
  kStored,  ///< its result was merged now
  kFailed   ///< see its error
};

/// Errors of points:
///   RIDGE-LAB-0305, 0306  no node has what it needs (command.h)
///   RIDGE-LAB-0312        ridge ended with an error on the node
///   RIDGE-LAB-0313        Slurm ended it at its time limit
///   RIDGE-LAB-0314        Slurm ended it for its memory
///   RIDGE-LAB-0315        its job was lost, or never began, too often
struct Outcome {
  PointEnd end = PointEnd::kOpen;
  std::optional<Error> error = {};
};

struct Summary {
  std::vector<Outcome> points;  ///< in the order of the job's
  std::int64_t lost = 0;        ///< jobs that were submitted again
  bool interrupted = false;     ///< stopped before all points had an end

  std::int64_t count(PointEnd end) const { return std::ranges::count(points, end, &Outcome::end); }
};

}  // namespace ridge::lab::slurm
