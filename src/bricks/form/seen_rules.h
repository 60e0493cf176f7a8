// SPDX-License-Identifier: Apache-2.0
// Rules of operators, which bring nodes that do the same to one form (seen.h). Thread rule: pure.
#pragma once

#include "bricks/form/node_view.h"

namespace ridge::bricks {

/// Rewrites a view as far as its operator has a rule.
void apply_rule(NodeView& view);

}  // namespace ridge::bricks
