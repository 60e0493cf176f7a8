// SPDX-License-Identifier: Apache-2.0
#include "import/constant_nodes.h"

#include <algorithm>

namespace ridge::imports {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

bool makes_constants(const Resolved& resolved, NodeId n) {
  const auto outputs = resolved.model().outputs(n);
  return std::all_of(outputs.begin(), outputs.end(),
                     [&](ValueId v) { return v == kNone || resolved.constant(v); });
}

}  // namespace ridge::imports
