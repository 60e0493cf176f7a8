#include "workbench/figure_json.h"

#include "export/figure_json.h"

namespace ridge::workbench {

void write_rate(JsonWriter& json, std::string_view key, const scenario::Rate& rate) {
  json.key(key).begin_object().key("per_s").value(rate.per_s).key("ci95_per_s");
  exports::write_interval(json, rate.interval);
  json.end_object();
}

}  // namespace ridge::workbench
