#include "bricks/estimate_document.h"

#include "base/json_writer.h"
#include "profile/json.h"

namespace ridge::bricks {
namespace {

void write_nodes(JsonWriter& json, const std::vector<graph::NodeId>& nodes) {
  json.begin_array();
  for (const graph::NodeId n : nodes) json.value(n);
  json.end_array();
}

void write_layer(JsonWriter& json, const EstimatedLayer& layer) {
  json.line().begin_object().key("nodes");
  write_nodes(json, layer.nodes);
  json.key("brick").value_or_null(layer.brick).key("time_ns").value(layer.time.median);
  json.key("ci95_ns");
  profile::write_interval(json, layer.time);
  json.key("source").value(name(layer.source)).end_object();
}

void write_model(JsonWriter& json, const ModelEstimate& m) {
  json.line().begin_object().key("name").value(m.name);
  json.key("estimate_ns").value(m.total.median).key("ci95_ns");
  profile::write_interval(json, m.total);
  json.key("critical_path_ns").value(m.critical_path_ns);
  json.key("outside_layers_ns").value(m.outside.median);
  json.key("coverage").begin_object().key("measured").value(m.measured_share);
  json.key("predicted").value(m.predicted_share).end_object();
  json.key("layers").begin_array();
  for (const EstimatedLayer& layer : m.layers)
    if (layer.source != Source::kMissing) write_layer(json, layer);
  json.end_array().key("missing").begin_array();
  for (const EstimatedLayer& layer : m.layers) {
    if (layer.source != Source::kMissing) continue;
    json.line().begin_object().key("brick").value_or_null(layer.brick).key("nodes");
    write_nodes(json, layer.nodes);
    json.key("why").value_or_null(layer.why).end_object();
  }
  json.end_array().end_object();
}

template <typename Document>
void write_head(JsonWriter& json, std::string_view schema, const Document& document) {
  json.begin_object().key("schema").value(schema).key("ridge").value(document.ridge);
  json.key("runtime").value(document.runtime);
  json.key("runtime_version").value(document.runtime_version);
  json.key("host").value(document.host).key("threads").value(document.threads);
}

}  // namespace

void write_estimates(const EstimateDocument& document, Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "ridge.estimate/1", document);
  json.key("models").begin_array();
  for (const ModelEstimate& m : document.models) write_model(json, m);
  json.line().end_array().end_object().line();
}

void write_check(const Check& check, Sink& sink) {
  const CheckSummary s = summary_of(check);
  JsonWriter json(sink);
  write_head(json, "ridge.bricks_check/1", check);
  json.key("models").begin_array();
  for (const CheckedModel& m : check.models) {
    json.line().begin_object().key("name").value(m.name);
    json.key("measured_ns").value(m.measured.median).key("measured_ci95_ns");
    profile::write_interval(json, m.measured);
    json.key("estimate_ns").value(m.estimate.median).key("ci95_ns");
    profile::write_interval(json, m.estimate);
    json.key("error").value(m.error()).key("intervals_meet").value(m.intervals_meet());
    json.key("processes").value(static_cast<std::int64_t>(m.processes));
    json.key("seconds").value(m.seconds).key("narrow").value(m.narrow);
    json.key("measured_width").value(m.measured_width).key("estimate_width");
    json.value(m.estimate_width).key("estimate_narrow").value(m.estimate_narrow).end_object();
  }
  json.line().end_array().key("without_estimate").begin_array();
  for (const std::string& name : check.without_estimate) json.value(name);
  json.end_array().key("mape").value(s.mape).key("p95").value(s.p95);
  json.key("worst").value(s.worst).key("bias").value(s.bias);
  json.key("intervals_met").value(static_cast<std::int64_t>(s.intervals_met));
  const CheckTimes& t = check.times;
  json.key("time").begin_object().key("bricks").begin_object().key("plan_s").value(t.plan_s);
  json.key("load_s").value(t.load_s).key("run_s").value(t.run_s).end_object();
  json.key("models_s").value(s.models_s).key("width").value(check.width);
  json.key("models_counted").value(static_cast<std::int64_t>(s.counted));
  json.key("models_width").value(s.models_width).key("estimates_width").value(s.estimates_width);
  json.key("saved").value(s.saved).key("saved_equal_runs").value(s.saved_equal_runs);
  json.end_object().end_object().line();
}

}  // namespace ridge::bricks
