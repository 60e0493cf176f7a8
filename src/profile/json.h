// SPDX-License-Identifier: Apache-2.0
// Profiles as JSON, from their descriptions (profile/describe.h, profile/describe_sweep.h).
#pragma once

#include "base/json_writer.h"
#include "base/sink.h"
#include "profile/profile.h"

namespace ridge::profile {

/// Writes ridge.profile/1, terminated by a newline.
void write_json(const Profile& profile, Sink& sink);

/// Writes one profile as a value inside another document.
void write_profile(JsonWriter& json, const Profile& profile);

/// Writes the profiles of a sweep (profile/sweep.h), ridge.profiles/1.
struct Sweep;
void write_json(const Sweep& sweep, Sink& sink);

}  // namespace ridge::profile
