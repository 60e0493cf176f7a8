#include "export/evaluation/comparison_json.h"

#include "accuracy/divergence_json.h"
#include "accuracy/figure_json.h"
#include "base/json_writer.h"
#include "stats/interval_json.h"

namespace ridge::exports {
namespace {

using compare::EvaluationComparison;
using compare::EvaluationDifference;

void write_ratio(JsonWriter& json, const std::optional<compare::Ratio>& ratio) {
  if (!ratio) {
    json.null();
    return;
  }
  json.begin_object().key("first").value(ratio->first).key("second").value(ratio->second);
  json.key("ratio").value(ratio->ratio).key("ci95");
  stats::write_interval(json, ratio->interval);
  json.end_object();
}

void write_compared_run(JsonWriter& json, const compare::EvaluationRun& run) {
  json.line().begin_object().key("label").value(run.label).key("model").value(run.model);
  json.key("graph_hash").value(run.graph_hash).key("runtime").value(run.runtime);
  json.key("version").value(run.version).key("threads").value(run.threads);
  json.key("data").value_or_null(run.data).key("steps").value_or_null(run.steps);
  json.key("scenario").value_or_null(run.scenario).end_object();
}

void write_accuracy(JsonWriter& json, const EvaluationDifference& d) {
  json.line().key("accuracy");
  if (!d.accuracy) {
    json.null();
    return;
  }
  const accuracy::PairedCounts& counts = d.accuracy->counts;
  json.begin_object().key("both").value(counts.both).key("lost").value(counts.only_first);
  json.key("gained").value(counts.only_second).key("neither").value(counts.neither);
  json.key("difference");
  accuracy::write_figure(json, d.accuracy->difference);
  json.key("p_value").value(d.accuracy->p_value).key("significant").value(d.significant);
  json.end_object();
}

void write_answers(JsonWriter& json, const EvaluationComparison& c, const EvaluationDifference& d) {
  json.line().key("answers").begin_array();
  for (const compare::ChangedAnswer& a : d.answers) {
    json.line().begin_object().key("sample").value(a.sample).key("first").value(a.first);
    json.key("second").value(a.second);
    json.key("first_text").value(c.runs[0].class_text(a.first));
    json.key("second_text").value(c.runs[d.run].class_text(a.second));
    json.key("change").value(name(a.change)).end_object();
  }
  json.end_array();
}

void write_difference(JsonWriter& json, const EvaluationComparison& c,
                      const EvaluationDifference& d) {
  json.line().begin_object().key("run").value(static_cast<std::int64_t>(d.run));
  json.key("samples").value(d.samples).key("unjoined").value(d.unjoined).key("changed");
  accuracy::write_figure(json, d.changed);
  write_accuracy(json, d);
  json.line().key("preparation_ns");
  write_ratio(json, d.prepare);
  json.line().key("latency_ns").begin_array();
  for (const compare::LatencyRatio& latency : d.latency) {
    json.begin_object().key("percentile").value(latency.percentile).key("change");
    write_ratio(json, latency.ratio);
    json.end_object();
  }
  json.end_array().line().key("completed_per_s");
  write_ratio(json, d.completed);
  json.line().key("outputs");
  accuracy::write_divergence(json, d.outputs);
  write_answers(json, c, d);
  json.end_object();
}

}  // namespace

void write_evaluation_comparison_json(const EvaluationComparison& c, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.evaluation_comparison/1");
  json.line().key("runs").begin_array();
  for (const compare::EvaluationRun& run : c.runs) write_compared_run(json, run);
  json.end_array().line().key("differences").begin_array();
  for (const EvaluationDifference& d : c.differences) write_difference(json, c, d);
  json.end_array().line().key("notes").begin_array();
  for (const std::string& note : c.notes) json.value(note);
  json.end_array().end_object();
  sink.write("\n");
}

}  // namespace ridge::exports
