// SPDX-License-Identifier: Apache-2.0
#include "profile/json.h"

#include "profile/describe_sweep.h"
#include "record/json_write.h"

namespace ridge::profile {

void write_json(const Profile& profile, Sink& sink) { record::write_json(profile, sink); }

void write_json(const Sweep& sweep, Sink& sink) { record::write_json(sweep, sink); }

void write_profile(JsonWriter& json, const Profile& p) { record::write_json(json, p); }

}  // namespace ridge::profile
