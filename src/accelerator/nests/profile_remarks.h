// Why a profile tells other figures than the closed form, per layer.
//
//   explain_differences(profiles, closed_form_profiles(lowered, resolved));
//
// Thread rule: pure function of its arguments. Cost: O(buffers).
#pragma once

#include "accelerator/nests/layer_profile.h"

namespace ridge::accelerator {

/// Fills the remark of every layer of `told` whose multiply-accumulates, parameters or allocations
/// are not those of `closed_form`, and of every one that hooks counted otherwise.
void explain_differences(Profiles& told, const Profiles& closed_form);

}  // namespace ridge::accelerator
