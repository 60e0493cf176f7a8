// SPDX-License-Identifier: Apache-2.0
// The check of exports that draw times into a model: Netron, Model Explorer.
#pragma once

#include "base/result.h"
#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::exports {

/// Checks that the model is the one that was profiled. Input error: another structure hash or,
/// where the profile has none, other operators.
Result<void> check_model(const profile::Profile& profile, const graph::Model& model);

}  // namespace ridge::exports
