#include "evaluation/record/document.h"

#include <fmt/format.h>

#include "accuracy/divergence_json.h"
#include "base/json_writer.h"
#include "evaluation/record/json.h"
#include "scenario/describe.h"

namespace ridge::evaluation {
namespace {

void write_bound(JsonWriter& json, const std::optional<scenario::LatencyBound>& bound) {
  json.key("bound");
  if (!bound) {
    json.null();
    return;
  }
  json.begin_object().key("percentile").value(bound->percentile * 100);
  json.key("latency_ns").value(bound->latency_ns).end_object();
}

void write_scenario(JsonWriter& json, const Evaluation& e) {
  const scenario::Scenario& s = e.scenario;
  json.line().key("scenario");
  if (!e.load) {
    json.null();
    return;
  }
  json.begin_object().key("kind").value(word(s.kind));
  const bool server = s.kind == scenario::Kind::kServer;
  json.key("arrivals").value(server ? std::optional(name(s.arrivals)) : std::nullopt);
  json.key("queries_per_s").value(server ? std::optional(mean_rate(s.arrivals)) : std::nullopt);
  json.key("samples_per_query").value(s.samples_per_query).key("lanes").value(s.workers);
  json.key("seed").value(static_cast<std::int64_t>(s.seed));
  json.key("min_duration_ns").value(s.min_duration.count);
  json.key("max_duration_ns").value(s.max_duration.count);
  json.key("min_queries").value(static_cast<std::int64_t>(s.min_queries));
  json.key("warmup_ns").value(s.warmup_duration.count);
  json.key("warmup_queries").value(static_cast<std::int64_t>(s.warmup_queries));
  json.key("clients").value(s.clients);
  json.key("batching");
  if (s.batching) {
    json.begin_object().key("max").value(s.batching->most);
    json.key("wait_ns").value(s.batching->wait.count).key("sizes").begin_array();
    for (const std::uint32_t size : scenario::sizes_of(*s.batching)) json.value(size);
    json.end_array().end_object();
  } else {
    json.null();
  }
  write_bound(json, e.bound);
  json.end_object();
}

void write_evaluated_point(JsonWriter& json, const EvaluatedPoint& p, bool load) {
  if (!p.stored.empty()) {
    json.line().raw(p.stored);
    return;
  }
  json.line().begin_object().key("runtime").begin_object().key("name").value(p.runtime.name);
  json.key("version").value(p.runtime.version).key("library").value(p.runtime.library);
  json.end_object().key("threads").value(p.threads).key("samples").value(p.samples);
  const bool server = p.scenario.kind == scenario::Kind::kServer;
  json.key("queries_per_s")
      .value(server ? std::optional(mean_rate(p.scenario.arrivals)) : std::nullopt);
  write_peak(json, p.peak);
  write_accuracy(json, p.accuracy);
  json.line().key("divergence");
  accuracy::write_divergence(json, p.divergence);
  write_outputs(json, p.outputs);
  write_mlperf(json, p.mlperf);
  json.line().key("lock");
  manifest::write_json(p.lock, json);
  if (!load) {
    json.line().key("figures").null().key("phases").null().key("batches").null();
    json.key("models").begin_array().end_array().key("validity").null().end_object();
    return;
  }
  write_figures(json, p);
  write_running(json, p);
  json.line().key("validity").begin_object().key("state").value(name(p.validity.state));
  json.key("reasons").begin_array();
  for (const std::string& reason : p.validity.reasons) json.value(reason);
  json.end_array().end_object().end_object();
}

}  // namespace

void write_evaluation(const Evaluation& e, Sink& sink) { write_evaluation(e, e.points, sink); }

void write_evaluation(const Evaluation& e, std::span<const EvaluatedPoint> points, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.evaluation/1").key("ridge").value(e.ridge);
  json.key("host").value(e.host);
  json.key("model").begin_object().key("path").value(e.model);
  json.key("graph_hash").value(e.graph_hash).end_object();
  json.key("bindings");
  analysis::write_bindings(json, e.sizes);
  write_scenario(json, e);
  if (e.data || e.stored_data.empty())
    write_data(json, e.data);
  else
    json.line().key("data").raw(e.stored_data);
  json.line().key("points").begin_array();
  for (const EvaluatedPoint& p : points) write_evaluated_point(json, p, e.load);
  json.end_array().end_object();
  sink.write("\n");
}

void write_queries(const Evaluation& e, Sink& sink) {
  sink.write("runtime,scheduled_ns,issued_ns,done_ns,late_ns,sample,failed,warmup\n");
  for (const EvaluatedPoint& p : e.points)
    for (const scenario::Query& q : p.load.queries)
      sink.write(fmt::format("{},{},{},{},{},{},{},{}\n", p.runtime_name,
                             q.scheduled_ns - p.load.begun_ns, q.issued_ns - p.load.begun_ns,
                             q.done_ns - p.load.begun_ns, q.late_ns, std::uint32_t{q.sample},
                             std::uint32_t{q.failed}, std::uint32_t{q.warmup}));
}

}  // namespace ridge::evaluation
