// SPDX-License-Identifier: Apache-2.0
// Sections of the page of bricks, each a piece of HTML; "" without data. See report/bricks/page.h.
#pragma once

#include <string>

#include "report/bricks/view.h"

namespace ridge::report {

/// Per model, how its pieces repeat.
std::string repeats_section(const BricksView& view);
/// Matrix of the pieces that models share.
std::string sharing_section(const BricksView& view);
/// Cumulative pieces and bricks in the order of the plan.
std::string growth_section(const BricksView& view);
/// Bricks with most work or time.
std::string top_bricks_section(const BricksView& view);
/// Layers left over, and bricks that were not measured, with the reasons.
std::string missing_section(const BricksView& view);
/// Latency of each model, from its bricks.
std::string estimates_section(const BricksView& view);
/// Errors against measured models, and the time that both took.
std::string errors_section(const BricksView& view);

}  // namespace ridge::report
