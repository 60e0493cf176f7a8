// SPDX-License-Identifier: Apache-2.0
// Groups of nodes that run as one kernel. Plain data, made by assume_fusion (fuser.h).
//
// A group lies within one graph, all other members precede the last, and only the last member's
// outputs leave the group.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/words.h"
#include "graph/model.h"

namespace ridge::analysis {

/// Fusion models, as defined in fuser.h.
enum class Fuse : std::uint8_t { kNone, kEpilogue, kRuntime };

}  // namespace ridge::analysis

namespace ridge {

template <>
struct Words<analysis::Fuse> {
  using Fuse = analysis::Fuse;
  static constexpr std::array list{Word{Fuse::kNone, "none"}, Word{Fuse::kEpilogue, "epilogue"},
                                   Word{Fuse::kRuntime, "runtime"}};
};

}  // namespace ridge

namespace ridge::analysis {

struct Fusion {
  std::vector<graph::NodeId> runs_with;  ///< by node: last node of its group
  std::vector<bool> inside;              ///< by value: never leaves its group
  /// by node: causes no traffic, since it is computed at model load or leaves the stored data
  /// unchanged
  std::vector<bool> folded;
  /// Replaced operands: (reader, value) -> the value that the reader loads in place of `value`,
  /// because it applies the producer itself (a transpose or a DequantizeLinear with several
  /// readers).
  std::map<std::pair<graph::NodeId, graph::ValueId>, graph::ValueId> instead;
  /// Pairs of values with identical storage: input and output of a node that does nothing.
  std::vector<std::pair<graph::ValueId, graph::ValueId>> same;
  std::int64_t fused = 0;  ///< nodes that run with another node
};

}  // namespace ridge::analysis
