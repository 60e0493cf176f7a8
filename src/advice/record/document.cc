#include "advice/record/document.h"

#include "advice/record/verdict.h"
#include "base/json_writer.h"
#include "profile/json.h"

namespace ridge::advice {
namespace {

void write_estimate(JsonWriter& json, const profile::Estimate& e) {
  json.begin_object().key("median_ns").value(e.median).key("ci95_ns");
  profile::write_interval(json, e);
  json.end_object();
}

void write_nodes(JsonWriter& json, const std::vector<graph::NodeId>& nodes) {
  json.begin_array();
  for (const graph::NodeId n : nodes) json.value(n);
  json.end_array();
}

void write_coverage(JsonWriter& json, const Coverage& coverage) {
  json.key("coverage").begin_object().key("nodes").value(coverage.nodes);
  json.key("time").value(coverage.time).key("unknown");
  write_nodes(json, coverage.unknown);
  json.end_object();
}

void write_bound(JsonWriter& json, const KernelBound& bound) {
  json.line()
      .key("bound_of_kernels")
      .begin_object()
      .key("sequential_ns")
      .value(bound.sequential_ns);
  json.key("critical_path_ns").value(bound.critical_path_ns);
  write_coverage(json, bound.coverage);
  json.key("beyond");
  write_nodes(json, bound.beyond);
  json.end_object();
}

void write_bound(JsonWriter& json, const ModelBound& bound) {
  json.line().key("bound_of_model").begin_object().key("time_ns").value(bound.time_ns);
  json.key("parallel_ns").value(bound.parallel_ns).key("kind").value_or_null(bound.kind);
  json.key("macs").value(bound.macs).key("input_bytes").value(bound.input_bytes);
  json.key("weight_bytes").value(bound.weight_bytes).key("output_bytes").value(bound.output_bytes);
  json.key("unknown");
  write_nodes(json, bound.unknown);
  json.key("reason").value_or_null(bound.reason).end_object();
}

void write_achievable(JsonWriter& json, const Achievable& a) {
  json.line().key("achievable").begin_object().key("sequential_ns").value(a.sequential_ns);
  json.key("scheduled_ns").value(a.scheduled_ns);
  write_coverage(json, a.coverage);
  json.key("layers").begin_array();
  for (const AchievableLayer& layer : a.layers) {
    json.line().begin_object().key("nodes");
    write_nodes(json, layer.nodes);
    json.key("time_ns").value(layer.time_ns).key("from").value(layer.from).end_object();
  }
  json.end_array().end_object();
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_outputs(JsonWriter& json, const std::optional<OutputDifference>& outputs) {
  if (!outputs) {
    json.null();
    return;
  }
  const OutputDifference& o = *outputs;
  json.begin_object().key("max_abs").value(o.max_abs).key("max_rel").value(o.max_rel);
  json.key("rounding").value(o.rounding).key("sizes");
  write_texts(json, o.sizes);
  json.key("inputs");
  write_texts(json, o.inputs);
  json.key("differs_usually").value_or_null(o.differs_usually);
  json.key("differs_unusually").value_or_null(o.differs_unusually).key("not_compared");
  write_texts(json, o.not_compared);
  json.end_object();
}

void write_check(JsonWriter& json, const std::optional<Check>& check) {
  json.key("check");
  if (!check) {
    json.null();
    return;
  }
  json.begin_object().key("state").value(name(check->state)).key("prediction");
  json.value_or_null(check->prediction == Prediction::kNone ? "" : name(check->prediction));
  json.key("before_ns").value(check->before_ns.median);
  json.key("after_ns").value(check->after_ns.median);
  json.key("achieved_gain_ns").value(check->gain_ns.median).key("ci95_ns");
  profile::write_interval(json, check->gain_ns);
  json.key("outputs");
  write_outputs(json, check->outputs);
  json.key("reason").value_or_null(check->reason).end_object();
}

/// The value and its interval; both null if the gain is unknown.
void write_gain(JsonWriter& json, const std::optional<profile::Estimate>& gain) {
  const profile::Estimate e = gain.value_or(kUnknown);
  json.value(e.median).key("ci95_ns");
  profile::write_interval(json, e);
}

void write_changed(JsonWriter& json, const std::vector<ChangedPiece>& pieces) {
  json.key("changed").begin_array();
  for (const ChangedPiece& piece : pieces) {
    json.begin_object().key("nodes");
    write_nodes(json, piece.nodes);
    json.key("before_ns").value(piece.before_ns).key("after_ns").value(piece.after_ns).end_object();
  }
  json.end_array();
}

void write_finding(JsonWriter& json, const Finding& f, double latency_ns) {
  json.line().begin_object().key("id").value(f.id).key("question").value_or_null(f.question);
  json.key("kind").value(f.kind).key("nodes");
  write_nodes(json, f.nodes);
  json.key("evidence").value(f.evidence).key("predicted_gain_ns");
  write_gain(json, f.gain_ns);
  json.key("predictable");
  if (f.gain_ns)
    json.value(is_predictable(*f.gain_ns, latency_ns));
  else
    json.null();
  json.key("confidence").value_or_null(f.confidence).key("no_price").value_or_null(f.no_price);
  write_changed(json, f.changed);
  json.key("lossless");
  if (f.effect.empty())
    json.null();
  else
    json.value(f.lossless);
  json.key("effect").value_or_null(f.effect).key("effect_where").value_or_null(f.effect_where);
  json.key("how").value(f.how).key("command").value(f.command);
  write_check(json, f.check);
  json.end_object();
}

void write_joint(JsonWriter& json, const std::optional<Joint>& joint) {
  json.line().key("joint");
  if (!joint) {
    json.null();
    return;
  }
  json.begin_object().key("ids").begin_array();
  for (const std::string& id : joint->ids) json.value(id);
  json.end_array().key("predicted_ns").value(joint->gain_ns.value_or(kUnknown).median);
  json.key("achieved_ns");
  write_gain(json, joint->check ? std::optional(joint->check->gain_ns) : std::nullopt);
  write_check(json, joint->check);
  json.end_object();
}

}  // namespace

void write_advice(const Advice& a, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.advice/1").key("ridge").value(a.ridge);
  json.key("model").value(a.model).key("runtime").value(a.runtime);
  json.key("runtime_version").value(a.runtime_version).key("host").value(a.host);
  json.key("threads").value(a.threads).line().key("measured");
  write_estimate(json, a.measured_ns);
  write_bound(json, a.kernel_bound);
  write_bound(json, a.model_bound);
  write_achievable(json, a.achievable);
  json.line().key("simulated_ns").value(a.simulated_ns).line().key("findings").begin_array();
  for (const Finding& f : a.findings) write_finding(json, f, a.measured_ns.median);
  json.end_array();
  write_joint(json, a.joint);
  json.line().key("notes").begin_array();
  for (const std::string& note : a.notes) json.value(note);
  json.end_array().end_object().line();
}

}  // namespace ridge::advice
