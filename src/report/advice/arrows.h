// SPDX-License-Identifier: Apache-2.0
// Findings as arrows on a roofline: the layers that contain a finding's nodes, taken together as
// one point, move up by its gain.
//
//   FLOP/s now = sum of operations / sum of time,   then = sum of operations / (sum of time - gain)
//   FLOP/B     = sum of operations / sum of bytes that cross the layers' boundaries
//
//   Layers with 2 GFLOP and 10 MB that take 20 ms, gain 4 ms: at 200 FLOP/B from 100 to 125
//   GFLOP/s.
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <string>

#include "advice/record/advice.h"
#include "report/advice/view.h"

namespace ridge::report {

struct GainArrow {
  std::size_t layers = 0;
  double intensity = 0;      ///< FLOP/B
  double now = 0, then = 0;  ///< FLOP/s
  double time_ns = 0, gain_ns = 0;
  bool achieved = false;  ///< the gain was measured; else predicted
  std::string type;       ///< operator type with most of the time
  std::string why_not;    ///< reason why there is no such arrow; the figures are unknown then
};

/// Arrow of a finding with nodes and a known gain.
GainArrow gain_arrow(const AdviceView& view, const advice::Finding& finding);

}  // namespace ridge::report
