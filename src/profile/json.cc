#include "profile/json.h"

#include <cmath>

#include "profile/describe_sweep.h"
#include "record/json_write.h"

namespace ridge::profile {

void write_json(const Profile& profile, Sink& sink) { record::write_json(profile, sink); }

void write_json(const Sweep& sweep, Sink& sink) { record::write_json(sweep, sink); }

void write_profile(JsonWriter& json, const Profile& p) { record::write_json(json, p); }

void write_interval(JsonWriter& json, const Estimate& e) {
  if (std::isnan(e.low) || std::isnan(e.high))
    json.null();
  else
    json.begin_array().value(e.low).value(e.high).end_array();
}

}  // namespace ridge::profile
