// Reader of the profiles that profile/json.h writes.
//
//   for (const Profile& p : TRY(profile::read_profiles(text))) ...
//
// A document of ridge.profile/1 contains one profile, of ridge.profiles/1 several, of
// ridge.accelerator/1 one in each point of a model (export/accelerator/estimated_run.h). Keys of
// what a run does not have may be absent, as profile/json.h writes them; unknown keys are skipped.
// References to missing rows and values of the wrong type are input errors that name the path.
// Cost: linear; safe on hostile text.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace ridge::profile {

Result<std::vector<Profile>> read_profiles(std::string_view json);

}  // namespace ridge::profile
