#include "accuracy/figure_json.h"

#include "stats/interval_json.h"

namespace ridge::accuracy {

void write_figure(JsonWriter& json, const std::optional<Figure>& figure) {
  if (!figure) {
    json.null();
    return;
  }
  json.begin_object().key("value").value(figure->value).key("ci95");
  stats::write_interval(json, figure->interval);
  json.end_object();
}

}  // namespace ridge::accuracy
