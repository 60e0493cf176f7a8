#include "scenario/rate_json.h"

#include "stats/interval_json.h"

namespace ridge::scenario {

void write_rate(JsonWriter& json, std::string_view key, const Rate& rate) {
  json.key(key).begin_object().key("per_s").value(rate.per_s).key("ci95_per_s");
  stats::write_interval(json, rate.interval);
  json.end_object();
}

}  // namespace ridge::scenario
