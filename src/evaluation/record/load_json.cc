#include "evaluation/record/json.h"
#include "stats/interval_json.h"

namespace ridge::evaluation {
namespace {

using scenario::Percentile;

void write_latency(JsonWriter& json, const scenario::Figures& f) {
  json.line().key("latency").begin_object().key("mean_ns").value(f.mean_ns);
  json.key("trimmed_mean_ns").value(f.trimmed_mean_ns).key("percentiles").begin_array();
  for (const Percentile& p : f.latency) {
    json.line().begin_object().key("percentile").value(p.share * 100);
    json.key("value_ns");
    if (f.queries > f.failed)
      json.value(p.value_ns);
    else
      json.null();
    json.key("ci95_ns");
    stats::write_interval(json, p.interval);
    json.key("effective_queries").value(p.effective).key("needed_queries").value(p.needed);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_batches(JsonWriter& json, const EvaluatedPoint& p) {
  const scenario::BatchCounts& b = *p.figures.batches;
  json.begin_object().key("mean_queries").value(b.mean).key("most_queries").value(b.most);
  json.key("counts").begin_array();
  for (const auto& [queries, count] : b.counts)
    json.begin_object().key("queries").value(queries).key("batches").value(count).end_object();
  json.end_array().key("sessions").begin_array();
  for (const BatchMemory& m : p.batch_sessions)
    json.begin_object().key("size").value(m.size).key("bytes").value(m.bytes).end_object();
  json.end_array().end_object();
}

}  // namespace

void write_figures(JsonWriter& json, const EvaluatedPoint& p) {
  const scenario::Figures& f = p.figures;
  json.line().key("figures").begin_object().key("queries").value(f.queries);
  json.key("failed").value(f.failed);
  json.key("abandoned").value(static_cast<std::int64_t>(p.load.abandoned));
  json.key("duration_s").value(f.duration_s).key("scheduled_per_s").value(f.scheduled_per_s);
  scenario::write_rate(json, "completed", f.completed);
  scenario::write_rate(json, "samples", f.samples);
  write_latency(json, f);
  json.key("within_bound");
  if (f.within) {
    json.begin_object().key("value").value(f.within->value).key("ci95");
    stats::write_interval(json, f.within->interval);
    json.end_object();
  } else {
    json.null();
  }
  json.key("missed_one_in");
  if (f.queries - f.failed < 3)
    json.null();
  else
    json.value(scenario::missed_one_in(f.queries - f.failed));
  const scenario::Lateness& late = f.lateness;
  json.key("lateness").begin_object().key("median_ns").value(late.median_ns);
  json.key("p99_ns").value(late.p99_ns).key("max_ns").value(late.max_ns);
  json.key("share_late").value(late.share_late).end_object().end_object();
}

void write_running(JsonWriter& json, const EvaluatedPoint& p) {
  const scenario::Figures& f = p.figures;
  json.line().key("phases").begin_object().key("warmup_queries").value(f.phases.warmup_queries);
  json.key("measured_ns").value(f.phases.measured_ns);
  json.key("last_scheduled_ns").value(f.phases.last_scheduled_ns);
  json.key("drained_ns").value(f.phases.drained_ns).key("still_warming_queries");
  json.value(f.warming ? f.warming->queries : 0).key("still_warming_ns");
  json.value(f.warming ? f.warming->after_ns : 0).end_object();
  json.line().key("batches");
  if (f.batches) {
    write_batches(json, p);
  } else {
    json.null();
  }
  json.line().key("models").begin_array();
  for (const ModelFigures& m : p.models) {
    json.line().begin_object().key("path").value(m.model).key("share").value(m.share);
    json.key("samples").value(m.samples).key("queries").value(m.figures.queries);
    json.key("failed").value(m.figures.failed);
    scenario::write_rate(json, "completed", m.figures.completed);
    write_latency(json, m.figures);
    json.end_object();
  }
  json.end_array();
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

}  // namespace ridge::evaluation
