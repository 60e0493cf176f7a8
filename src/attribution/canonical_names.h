// Which name each value has in the canonical copy. Private to canonical.cc and its parts.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "attribution/canonical.h"
#include "attribution/expansion.h"
#include "base/arena.h"

namespace ridge::attribution {

/// An output of the model that is a value with a name already: an input, a constant, or another
/// output. It needs a node of its own.
struct Alias {
  std::string_view from, to;
};

struct CopyNames {
  std::vector<std::string_view> of;  ///< by ValueId, that of its origin
  std::vector<Port> inputs, outputs;
  std::vector<Alias> aliases;
};

CopyNames name_copy(const graph::Model& model, const Expansion& calls, Arena& arena);

}  // namespace ridge::attribution
