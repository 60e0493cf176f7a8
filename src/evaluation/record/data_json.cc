#include "evaluation/record/json.h"
#include "evaluation/record/preparation.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"

namespace ridge::evaluation {

void write_data(JsonWriter& json, const std::optional<EvaluatedData>& data) {
  json.line().key("data");
  if (!data) {
    json.null();
    return;
  }
  const Preparation times = preparation_of(*data);
  json.begin_object().key("source").value(data->of.source);
  json.key("labels").value_or_null(data->of.labels);
  json.key("steps").value(pipeline::print_steps(data->of.steps));
  json.key("metric").value(name(data->of.metric));
  json.key("post").value(pipeline::print_output_steps(data->of.post));
  json.line().key("step_times").begin_array();
  for (const StepTime& step : times.steps) {
    json.begin_object().key("step").value(step.step).key("median_ns").value(step.median_ns);
    json.end_object();
  }
  json.end_array().line().key("samples").begin_array();
  for (const std::string& name : data->names) json.value(name);
  json.end_array().line().key("samples_ns").begin_array();
  for (const std::int64_t ns : times.samples_ns) json.value(ns);
  json.end_array().line().key("notes").begin_array();
  for (const std::string& note : data->notes) json.value(note);
  json.end_array().end_object();
}

}  // namespace ridge::evaluation
