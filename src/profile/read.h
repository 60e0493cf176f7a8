// Profiles read back from what profile/json.h writes.
//
//   for (const Profile& p : TRY(profile::read_profiles(text))) ...
//
// A document of ridge.profile/1 is one profile, of ridge.profiles/1 several; one of
// ridge.accelerator/1 has one in each point of a model (export/estimated_run.h). Keys that were
// added within the version may be absent (older documents); unknown keys are skipped (newer ones).
// What refers to a row that is not there, or has another type than it should, is an input error
// that names the path. Cost: linear; hostile text is safe.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace ridge::profile {

Result<std::vector<Profile>> read_profiles(std::string_view json);

}  // namespace ridge::profile
