#include "workbench/evaluation_json.h"

namespace ridge::workbench {
namespace {

void write_figure(JsonWriter& json, std::string_view key,
                  const std::optional<accuracy::Figure>& figure) {
  json.key(key);
  if (!figure) {
    json.null();
    return;
  }
  json.begin_object().key("value").value(figure->value).key("ci95");
  write_interval(json, figure->interval);
  json.end_object();
}

}  // namespace

void write_accuracy(JsonWriter& json, const std::optional<Accuracy>& a) {
  json.line().key("accuracy");
  if (!a) {
    json.null();
    return;
  }
  json.begin_object().key("samples").value(std::ssize(a->predicted));
  json.key("classes").value(a->classes);
  write_figure(json, "top1", a->top1);
  write_figure(json, "top5", a->top5);
  json.line().key("predicted").begin_array();
  for (const std::int64_t c : a->predicted) json.value(c);
  json.end_array().line().key("correct").begin_array();
  for (const std::uint8_t right : a->correct) json.value(int{right});
  json.end_array().end_object();
}

}  // namespace ridge::workbench
