// Runs that were measured before, as the verbs take them: "run.json" (ridge.profile/1 or
// ridge.profiles/1), "-" for standard input.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace ridge::cli {

/// At least one, in the order of the source. Errors name the source.
Result<std::vector<profile::Profile>> load_profiles(const std::string& source);

}  // namespace ridge::cli
