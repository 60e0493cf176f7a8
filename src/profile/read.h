// SPDX-License-Identifier: Apache-2.0
// Reader of documents that contain profiles (profile/describe.h).
//
//   for (const Profile& p : TRY(profile::read_profiles(text))) ...
//
// A document of ridge.profile/1 contains one profile, of ridge.profiles/1 several, of
// ridge.accelerator/1 one in each point of a model (export/accelerator/estimated_run.h). Keys of
// what a run does not have may be absent; unknown keys are skipped. Errors: input class, as
// record/json_read.h, RIDGE-PROF-0001 for references to missing rows. Cost: linear; safe on hostile
// text.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace ridge::profile {

Result<std::vector<Profile>> read_profiles(std::string_view json);

}  // namespace ridge::profile
