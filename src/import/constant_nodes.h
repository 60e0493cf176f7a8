// SPDX-License-Identifier: Apache-2.0
// Nodes that compute nothing from the model's inputs.
#pragma once

#include "analysis/resolved.h"

namespace ridge::imports {

/// True if all outputs of the node are known before the model runs.
bool makes_constants(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::imports
