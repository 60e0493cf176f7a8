// SPDX-License-Identifier: Apache-2.0
// The fastest way to run a model piece by piece, each piece in the best of several ways that were
// measured (runtimes, optimization levels), with the handing over of tensors paid for.
//
//   const Cover best = best_cover(resolved, {{"ONNX Runtime", &run}, {"OpenVINO", &other}}, bw);
//   best.total_ns, best.pieces
//
// Pieces are the smallest groups of nodes that every way times separately. In an order that their
// data allows, the model is cut into successive parts, each run in one way as a session of its own:
//
//   time = sum of the pieces' times + per part, the way's time outside its layers
//        + per cut, 2 * bytes of the tensors that cross it / bandwidth    (written once, read once)
//
// The minimum over all cuts follows by dynamic programming. One way alone is a cover without cuts,
// whose time is its latency; so the result is never above the best way. Times of a way that does
// not time a piece are not used there.
//
//   pieces a, b, c; way 1 takes 5, 1, 1 and outside 0.5, way 2 takes 1, 4, 4 and outside 0.5; the
//   tensor between a and b takes 0.2: way 1 7.5, way 2 9.5, a in way 2 and the others in way 1
//   1 + 0.5 + 0.2 + 2 + 0.5 = 4.2
//
// This is what a program could reach that runs parts of the model in sessions of their own; the
// times are measured, the bandwidth is, the sum is modeled. Thread rule: pure. Cost: O(nodes +
// pieces * ways^2).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "advice/record/advice.h"
#include "analysis/resolved.h"
#include "profile/profile.h"

namespace ridge::advice {

struct Way {
  std::string name;  ///< "OpenVINO", "ONNX Runtime extended"
  const profile::Profile* run = nullptr;
};

struct Cover {
  double total_ns = 0;
  /// AchievableLayer::from is the way's name; in order.
  std::vector<AchievableLayer> pieces;
  std::size_t parts = 1;  ///< sessions
};

/// `ways`: at least one, of the same model at the same sizes. `bytes_per_s`: of the memory; 0:
/// unknown, so that nothing is cut.
Cover best_cover(const analysis::Resolved& resolved, std::span<const Way> ways, double bytes_per_s);

}  // namespace ridge::advice
