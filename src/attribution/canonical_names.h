// SPDX-License-Identifier: Apache-2.0
// Names of the values in the canonical copy. Private to canonical.cc and its parts.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "attribution/expansion.h"
#include "attribution/port.h"
#include "base/arena.h"

namespace ridge::attribution {

/// Second name of a value: an output of the model that is an input, a constant, or another output.
/// The copy needs an Identity node for it.
struct Alias {
  std::string_view from, to;
};

struct CopyNames {
  std::vector<std::string_view> of;  ///< by ValueId; a value has the name of its origin
  std::vector<Port> inputs, outputs;
  std::vector<Alias> aliases;
};

CopyNames name_copy(const graph::Model& model, const Expansion& calls, Arena& arena);

}  // namespace ridge::attribution
