// SPDX-License-Identifier: Apache-2.0
// Memory traffic of a recorded layer: the bytes of the tensors that cross the boundary of its
// nodes, with floating-point tensors as wide as the precision the layer ran in. Private to join.cc.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "profile/profile.h"

namespace ridge::imports {

/// Element types as named in profile::Layer; for any other word the model's stored type counts.
struct Widths {
  std::string read, written;
};

struct Crossed {
  profile::Count read = 0, written = 0;
};

/// Bytes read and written by `members` (ascending by node), over all executions of the enclosing
/// bodies. A single node moves the bytes its operator definition states; of several nodes each
/// tensor counts once, and tensors internal to the group do not count.
Crossed crossed(const analysis::Resolved& resolved, const std::vector<profile::Member>& members,
                const Widths& widths);

/// Lower bounds on their work (profile::Least), at the narrower of stored and executed precision.
/// `streamed`: weights that count as streamed by a layer already; the weights of this layer are
/// added.
profile::Least min_of(const analysis::Resolved& resolved,
                      const std::vector<profile::Member>& members, const Widths& widths,
                      std::set<graph::ValueId>& streamed);

}  // namespace ridge::imports
