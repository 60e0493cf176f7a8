#include "stats/interval_json.h"

namespace ridge::stats {

void write_interval(JsonWriter& json, const std::optional<Interval>& interval) {
  if (!interval) {
    json.null();
    return;
  }
  json.begin_array().value(interval->lo).value(interval->hi).end_array();
}

}  // namespace ridge::stats
