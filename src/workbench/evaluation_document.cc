#include "workbench/evaluation_document.h"

#include <fmt/format.h>

#include "base/json_writer.h"

namespace ridge::workbench {
namespace {

using scenario::Percentile;

void write_interval(JsonWriter& json, const std::optional<stats::Interval>& interval) {
  if (!interval) {
    json.null();
    return;
  }
  json.begin_array().value(interval->lo).value(interval->hi).end_array();
}

void write_rate(JsonWriter& json, std::string_view key, const scenario::Rate& rate) {
  json.key(key).begin_object().key("per_s").value(rate.per_s).key("ci95_per_s");
  write_interval(json, rate.interval);
  json.end_object();
}

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
  json.begin_object().key("kind").value(name(s.kind));
  const bool server = s.kind == scenario::Kind::kServer;
  json.key("arrivals").value(server ? std::optional(name(s.arrivals)) : std::nullopt);
  json.key("queries_per_s").value(server ? std::optional(mean_rate(s.arrivals)) : std::nullopt);
  json.key("samples_per_query").value(s.samples_per_query).key("lanes").value(s.lanes);
  json.key("seed").value(static_cast<std::int64_t>(s.seed));
  json.key("min_duration_ns").value(s.least_duration.count);
  json.key("max_duration_ns").value(s.most_duration.count);
  json.key("min_queries").value(static_cast<std::int64_t>(s.least_queries));
  write_bound(json, e.bound);
  json.end_object();
}

void write_latency(JsonWriter& json, const scenario::Figures& f) {
  json.line().key("latency").begin_object().key("mean_ns").value(f.mean_ns);
  json.key("trimmed_mean_ns").value(f.trimmed_mean_ns).key("percentiles").begin_array();
  for (const Percentile& p : f.latency) {
    json.line().begin_object().key("percentile").value(p.share * 100);
    json.key("value_ns").value(p.value_ns).key("ci95_ns");
    write_interval(json, p.interval);
    json.key("effective_queries").value(p.effective).key("needed_queries").value(p.needed);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_figures(JsonWriter& json, const EvaluatedPoint& p) {
  const scenario::Figures& f = p.figures;
  json.line().key("figures").begin_object().key("queries").value(f.queries);
  json.key("failed").value(f.failed);
  json.key("abandoned").value(static_cast<std::int64_t>(p.load.abandoned));
  json.key("duration_s").value(f.duration_s).key("scheduled_per_s").value(f.scheduled_per_s);
  write_rate(json, "completed", f.completed);
  write_rate(json, "samples", f.samples);
  write_latency(json, f);
  json.key("within_bound");
  if (f.within) {
    json.begin_object().key("value").value(f.within->value).key("ci95");
    write_interval(json, f.within->interval);
    json.end_object();
  } else {
    json.null();
  }
  const scenario::Lateness& late = f.lateness;
  json.key("lateness").begin_object().key("median_ns").value(late.median_ns);
  json.key("p99_ns").value(late.p99_ns).key("max_ns").value(late.most_ns);
  json.key("share_late").value(late.share_late).end_object().end_object();
}

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
  json.end_array().end_object();
}

void write_peak(JsonWriter& json, const std::optional<scenario::Peak>& peak) {
  json.line().key("peak");
  if (!peak) {
    json.null();
    return;
  }
  json.begin_object().key("queries_per_s").value(peak->rate);
  json.key("estimate_per_s").value(peak->estimate);
  json.key("invalid_per_s").value(peak->invalid_rate).key("undecided").value(peak->undecided);
  json.key("seconds").value(peak->seconds).key("probes").begin_array();
  for (const scenario::ProbeRecord& r : peak->probes) {
    json.line().begin_object().key("queries_per_s").value(r.probe.rate);
    json.key("queries").value(r.probe.queries).key("late").value(r.result.late);
    json.key("seconds").value(r.result.seconds).end_object();
  }
  json.end_array().end_object();
}

void write_point(JsonWriter& json, const EvaluatedPoint& p, bool load) {
  json.line().begin_object().key("runtime").begin_object().key("name").value(p.runtime.name);
  json.key("version").value(p.runtime.version).key("library").value(p.runtime.library);
  json.end_object().key("threads").value(p.threads).key("samples").value(p.samples);
  const bool server = p.scenario.kind == scenario::Kind::kServer;
  json.key("queries_per_s")
      .value(server ? std::optional(mean_rate(p.scenario.arrivals)) : std::nullopt);
  write_peak(json, p.peak);
  write_accuracy(json, p.accuracy);
  if (!load) {
    json.line().key("figures").null().key("validity").null().end_object();
    return;
  }
  write_figures(json, p);
  json.line().key("validity").begin_object().key("state").value(name(p.validity.state));
  json.key("reasons").begin_array();
  for (const std::string& reason : p.validity.reasons) json.value(reason);
  json.end_array().end_object().end_object();
}

}  // namespace

void write_evaluation(const Evaluation& e, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("schema").value("ridge.evaluation/1").key("ridge").value(e.ridge);
  json.key("host").value(e.host);
  json.key("model").begin_object().key("path").value(e.model);
  json.key("graph_hash").value(e.graph_hash).end_object();
  json.key("bindings");
  analysis::write_bindings(json, e.sizes);
  write_scenario(json, e);
  json.line().key("points").begin_array();
  for (const EvaluatedPoint& p : e.points) write_point(json, p, e.load);
  json.end_array().end_object();
  sink.write("\n");
}

void write_queries(const Evaluation& e, Sink& sink) {
  sink.write("runtime,scheduled_ns,issued_ns,done_ns,late_ns,sample,failed\n");
  for (const EvaluatedPoint& p : e.points)
    for (const scenario::Query& q : p.load.queries)
      sink.write(fmt::format("{},{},{},{},{},{},{}\n", p.runtime_name,
                             q.scheduled_ns - p.load.begun_ns, q.issued_ns - p.load.begun_ns,
                             q.done_ns - p.load.begun_ns, q.late_ns, std::uint32_t{q.sample},
                             std::uint32_t{q.failed}));
}

}  // namespace ridge::workbench
