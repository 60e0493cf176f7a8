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

void write_largest(JsonWriter& json, std::string_view key,
                   const accuracy::LargestDifference& largest) {
  json.key(key).begin_object().key("value").value(largest.value);
  json.key("sample").value(static_cast<std::int64_t>(largest.sample));
  json.key("index").value(static_cast<std::int64_t>(largest.index)).end_object();
}

/// Figure of scores; null for other outputs.
void write_scored(JsonWriter& json, std::string_view key, const OutputDivergence& d,
                  const accuracy::Figure& figure) {
  const bool scores = d.comparable && d.kind != accuracy::Outputs::kPlain;
  write_figure(json, key, scores ? std::optional(figure) : std::nullopt);
}

}  // namespace

void write_divergence(JsonWriter& json, const std::vector<OutputDivergence>& divergence) {
  json.line().key("divergence").begin_array();
  for (const OutputDivergence& d : divergence) {
    const accuracy::DivergenceFigures& f = d.figures;
    json.line().begin_object().key("output").value(d.output).key("kind").value(name(d.kind));
    json.key("comparable")
        .value(d.comparable)
        .key("samples")
        .value(f.samples)
        .key("values")
        .value(f.values);
    write_largest(json, "largest_absolute", f.largest_absolute);
    write_largest(json, "largest_relative", f.largest_relative);
    json.key("mean_absolute").value(f.mean_absolute);
    json.key("differ_in_kind").value(f.differ_in_kind);
    write_scored(json, "agreement", d, f.agreement);
    write_scored(json, "kl", d, f.kullback_leibler);
    write_scored(json, "js", d, f.jensen_shannon);
    json.key("differ").begin_array();
    for (const std::size_t sample : d.differ) json.value(static_cast<std::int64_t>(sample));
    json.end_array().end_object();
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
  write_figure(json, "top1", a->top1);
  write_figure(json, "top5", a->top5);
  json.line().key("metrics").begin_array();
  for (const NamedFigure& m : a->metrics) {
    json.begin_object().key("metric").value(m.metric).key("value").value(m.figure.value);
    json.key("ci95");
    write_interval(json, m.figure.interval);
    json.end_object();
  }
  json.end_array().line().key("class_names").begin_array();
  for (const auto& [label, text] : a->class_names)
    json.begin_object().key("class").value(label).key("name").value(text).end_object();
  json.end_array().line().key("predicted").begin_array();
  for (const std::int64_t c : a->predicted) json.value(c);
  json.end_array().line().key("correct").begin_array();
  for (const std::uint8_t right : a->correct) json.value(int{right});
  json.end_array().end_object();
}

}  // namespace ridge::workbench
