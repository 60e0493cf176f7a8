#include "workbench/figure_json.h"

namespace ridge::workbench {

void write_interval(JsonWriter& json, const std::optional<stats::Interval>& interval) {
  if (!interval) {
    json.null();
    return;
  }
  json.begin_array().value(interval->lo).value(interval->hi).end_array();
}

void write_rate(JsonWriter& json, std::string_view key, const scenario::Rate& rate) {
  json.key(key).begin_object().key("per_s").value(rate.per_s).key("ci95_per_s");
  write_interval(json, rate.interval);
  json.end_object();
}

}  // namespace ridge::workbench
