// SPDX-License-Identifier: Apache-2.0
// Conservation check: every node of the model is in exactly one place, every multiply-accumulate in
// exactly one layer.
#pragma once

#include "analysis/resolved.h"
#include "attribution/attribution.h"

namespace ridge::attribution {

/// Errors: a bug if a node is executed twice, is both in a layer and without one, is nowhere, or
/// has a part but no executing layer; if a node with MACs is absorbed; if a kernel is in two layers
/// or not in the layer recorded for it; if a layer without members is not marked inserted.
Result<void> check_conservation(const analysis::Resolved& resolved, const Attribution& attribution);

}  // namespace ridge::attribution
