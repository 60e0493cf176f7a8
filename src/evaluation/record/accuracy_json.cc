#include "accuracy/figure_json.h"
#include "evaluation/record/json.h"
#include "stats/interval_json.h"

namespace ridge::evaluation {

using accuracy::write_figure;

void write_outputs(JsonWriter& json, const std::vector<accuracy::OutputFile>& files) {
  json.line().key("outputs").begin_array();
  for (const accuracy::OutputFile& f : files) {
    json.begin_object().key("output").value(f.output).key("kind").value(name(f.kind));
    json.key("file").value_or_null(f.path).key("sha256").value_or_null(f.sha256).end_object();
  }
  json.end_array();
}

void write_accuracy(JsonWriter& json, const std::optional<Accuracy>& a) {
  json.line().key("accuracy");
  if (!a) {
    json.null();
    return;
  }
  json.begin_object().key("samples").value(a->samples);
  json.key("classes").value(a->classes);
  json.key("top1");
  write_figure(json, a->top1);
  json.key("top5");
  write_figure(json, a->top5);
  json.line().key("metrics").begin_array();
  for (const NamedFigure& m : a->metrics) {
    json.begin_object().key("metric").value(m.metric).key("value").value(m.figure.value);
    json.key("ci95");
    stats::write_interval(json, m.figure.interval);
    json.end_object();
  }
  json.end_array().line().key("class_names").begin_array();
  for (const auto& [label, text] : a->class_names)
    json.begin_object().key("class").value(label).key("name").value(text).end_object();
  json.end_array().line().key("predicted").begin_array();
  for (const std::int64_t c : a->predicted) json.value(c);
  json.end_array().line().key("correct").begin_array();
  for (const std::uint8_t right : a->correct) json.value(int{right});
  json.end_array().line().key("notes").begin_array();
  for (const std::string& note : a->notes) json.value(note);
  json.end_array().end_object();
}

}  // namespace ridge::evaluation
