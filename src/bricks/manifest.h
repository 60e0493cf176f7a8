// SPDX-License-Identifier: Apache-2.0
// The manifest of a plan: the document ridge.bricks/1 (plan_describe.h) in its folder.
//
//   record::write_json(plan, sink);
//   Plan same = TRY(record::read_json<Plan>(text));      // asks both checks below
//
// Errors of the checks: input class, RIDGE-BRICK-0010. Cost: O(nodes log nodes).
#pragma once

#include <string_view>

#include "base/result.h"
#include "bricks/plan.h"

namespace ridge::bricks {

/// Name of the manifest in the folder of a plan.
inline constexpr std::string_view kManifestName = "manifest.json";

/// Refuses a file that is not a name without folders, and a digest that is none.
Result<void> check_names(const Brick& brick);

/// Refuses a key, a file or a model that occurs twice, an occurrence of a model that the plan does
/// not have, and a node in two places.
Result<void> check_consistent(const Plan& plan);

}  // namespace ridge::bricks
