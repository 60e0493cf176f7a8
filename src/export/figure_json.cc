#include "export/figure_json.h"

namespace ridge::exports {

void write_interval(JsonWriter& json, const std::optional<stats::Interval>& interval) {
  if (!interval) {
    json.null();
    return;
  }
  json.begin_array().value(interval->lo).value(interval->hi).end_array();
}

void write_figure(JsonWriter& json, const std::optional<accuracy::Figure>& figure) {
  if (!figure) {
    json.null();
    return;
  }
  json.begin_object().key("value").value(figure->value).key("ci95");
  write_interval(json, figure->interval);
  json.end_object();
}

}  // namespace ridge::exports
