// SPDX-License-Identifier: Apache-2.0
// Store of a generation, and which of its points are wanted. Plain data; borrows the store.
#pragma once

#include <string>
#include <vector>

#include "session/point_choice.h"
#include "store/store.h"

namespace ridge::generation {

struct GenerationKeeping {
  store::Store* store = nullptr;  ///< keeps each point; those it has are not repeated
  session::Stored points = session::Stored::kSkip;
  std::vector<std::string> wanted = {};  ///< keys of points (session/point_choice.h); empty: all
};

}  // namespace ridge::generation
