// SPDX-License-Identifier: Apache-2.0
// Finds the nodes that each layer of a recording executes, by the rules of join.h. Private to
// join.cc.
#pragma once

#include <string>
#include <vector>

#include "analysis/resolved.h"
#include "import/names.h"
#include "import/recorded.h"
#include "profile/profile.h"

namespace ridge::imports {

struct Members {
  std::vector<std::vector<profile::Member>> of_layer;  ///< ascending by node
  std::vector<bool> partly;  ///< by layer: it lists a name that the model lacks
  std::vector<bool> placed;  ///< by node
  std::size_t guessed = 0;   ///< number of nodes assigned by guess
  std::size_t fused = 0;     ///< number of nodes assigned by the runtime's rules of fusion
  std::vector<std::string> notes, region_notes;  ///< from the order; from regions
};

/// `time_ns`: by layer; `names`: of that model.
Members find_members(const Recorded& recorded, const std::vector<double>& time_ns,
                     const analysis::Resolved& resolved, const NameIndex& names);

}  // namespace ridge::imports
