// SPDX-License-Identifier: Apache-2.0
// Reasons why the figures of a profile differ from the closed form's, per layer.
//
//   explain_differences(profiles, closed_form_profiles(lowered, resolved));
//
// Thread rule: pure function of its arguments. Cost: O(buffers).
#pragma once

#include "accelerator/nests/layer_profile.h"

namespace ridge::accelerator {

/// Sets the remark of every layer of `told` whose multiply-accumulates, parameters or allocations
/// differ from `closed_form`'s, or whose hooks counted other MACs.
void explain_differences(Profiles& told, const Profiles& closed_form);

}  // namespace ridge::accelerator
