// SPDX-License-Identifier: Apache-2.0
// The policy of a kind. Pure; a policy itself: policy.h.
#pragma once

#include <memory>

#include "sharing/policy/policy.h"
#include "sharing/record/policy_spec.h"

namespace ridge::sharing {

std::unique_ptr<Policy> make_policy(const PolicySpec& spec);

}  // namespace ridge::sharing
