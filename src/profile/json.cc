#include "profile/json.h"

#include <cmath>

#include "base/json_writer.h"
#include "base/number.h"
#include "profile/options.h"
#include "profile/sweep.h"
#include "profile/verified.h"

namespace ridge::profile {
namespace {

void interval(JsonWriter& json, const Estimate& e) {
  json.begin_array().value(e.low).value(e.high).end_array();
}

void write_estimate(JsonWriter& json, const Estimate& e) {
  json.begin_object().key("median").value(e.median).key("ci95");
  interval(json, e);
  json.end_object();
}

void write_work(JsonWriter& json, const Work& w) {
  json.key("macs")
      .value(w.macs)
      .key("flops")
      .value(w.flops)
      .key("special")
      .value(w.special)
      .key("int_ops")
      .value(w.int_ops);
}

void write_subject(JsonWriter& json, const Subject& s) {
  json.key("kind").value(s.kind).key("ridge").value(s.ridge_version);
  json.line().key("runtime").begin_object();
  json.key("name")
      .value(s.runtime)
      .key("version")
      .value(s.runtime_version)
      .key("library")
      .value(s.runtime_library);
  write_options(json.key("options"), s);
  json.end_object();
  json.line().key("model").begin_object();
  json.key("path")
      .value(s.path)
      .key("graph_hash")
      .value(s.graph_hash)
      .key("ir_version")
      .value(s.ir_version);
  json.key("opsets").begin_object();
  for (const auto& [domain, version] : s.opsets)
    json.name(domain.empty() ? "ai.onnx" : domain).value(version);
  json.end_object().key("producer").value(s.producer).key("weights").value(s.weights).end_object();
  analysis::write_bindings(json.line().key("bindings"), s.bindings);
}

void write_latency(JsonWriter& json, const Profile& p) {
  const auto recorded = [](std::int64_t ns) { return ns > 0 ? Count(ns) : Count(); };
  json.line().key("setup").begin_object();
  json.key("load_ns").value(recorded(p.load_ns));
  json.key("first_run_ns").value(recorded(p.first_run_ns)).end_object();
  json.line().key("latency").begin_object().key("processes").begin_array();
  for (const Process& process : p.latency.processes) {
    json.begin_object().key("samples_ns").begin_array();
    for (const std::int64_t ns : process.samples_ns) json.value(ns);
    json.end_array()
        .key("warmup_dropped")
        .value(process.warmup_dropped)
        .key("steadiness")
        .value(process.steadiness)
        .end_object();
  }
  json.end_array().key("median_ns").value(p.latency.ns.median).key("ci95_ns");
  interval(json, p.latency.ns);
  json.key("rejected").value(p.latency.rejected).end_object();
  json.line().key("throughput").begin_object();
  json.key("items_per_s").value(p.items_per_s).key("batch").value(p.batch).end_object();
}

void write_profiling(JsonWriter& json, const Profiling& p) {
  json.line()
      .key("profiled_latency")
      .begin_object()
      .key("median_ns")
      .value(p.profiled_latency_ns.median)
      .key("ci95_ns");
  interval(json, p.profiled_latency_ns);
  json.end_object();
  json.line().key("profiling").begin_object();
  json.key("excess_ns").begin_object().key("median").value(p.excess_ns.median).key("ci95");
  interval(json, p.excess_ns);
  json.end_object();
  json.key("event_cost_ns").value(p.event_cost_ns).key("event_share_ns").value(p.event_share_ns);
  const auto where_known = [&](const char* key, const std::optional<Estimate>& e) {
    if (!e) return;
    json.key(key);
    write_estimate(json, *e);
  };
  where_known("event_cost", p.event_cost);
  where_known("fixed_cost", p.fixed_cost);
  where_known("predicted_profiled_ns", p.predicted_profiled_ns);
  where_known("total_ns", p.total_ns);
  where_known("factor", p.factor);
  where_known("predicted_ratio", p.predicted_ratio);
  if (p.unscaled_residual) {
    json.key("unscaled_residual_share").value(p.unscaled_residual->median);
    json.key("unscaled_residual_ci95");
    interval(json, *p.unscaled_residual);
  }
  if (!p.layer_times.empty()) json.key("layer_times").value(p.layer_times);
  json.key("resolution_ns")
      .value(p.resolution_ns)
      .key("cheapest_kernel_ns")
      .value(p.cheapest_kernel_ns);
  json.key("raw_sum_ns").value(p.raw_sum_ns).key("corrected_sum_ns").value(p.corrected_sum_ns);
  json.key("gaps_ns")
      .value(p.gaps_ns)
      .key("disturbance_ns")
      .value(p.disturbance_ns)
      .key("outside_layers_ns")
      .value(p.outside_layers_ns)
      .key("residual_share")
      .value(p.residual_share)
      .end_object();
}

void optional_estimate(JsonWriter& json, const char* key, const std::optional<Estimate>& e) {
  json.key(key);
  if (e)
    write_estimate(json, *e);
  else
    json.null();
}

void write_level_cost(JsonWriter& json, const LevelCost& c) {
  json.line().begin_object().key("level").value(name(c.level));
  json.key("runs").value(c.runs).key("events").value(c.events).key("latency_ns");
  write_estimate(json, c.latency_ns);
  json.key("event_cost");
  write_estimate(json, c.event_cost);
  json.key("fixed_cost");
  write_estimate(json, c.fixed_cost);
  json.end_object();
}

void write_counter(JsonWriter& json, const Counter& c) {
  json.line().begin_object().key("name").value(c.name).key("unit").value(c.unit);
  json.key("origin").value(c.origin);
  optional_estimate(json, "value", c.value);
  json.key("running_share").value(c.running_share).key("reason").value(c.reason).end_object();
}

void write_levels(JsonWriter& json, const Levels& l) {
  json.line().key("levels").begin_object().key("costs").begin_array();
  for (const LevelCost& c : l.costs) write_level_cost(json, c);
  json.end_array();
  json.line();
  optional_estimate(json, "deepest_ns", l.deepest_ns);
  optional_estimate(json, "predicted_deepest_ns", l.predicted_deepest_ns);
  optional_estimate(json, "imbalance", l.imbalance);
  json.key("threads").begin_array();
  for (const ThreadWork& t : l.threads) {
    json.line().begin_object().key("name").value(t.name).key("cpu_ns");
    write_estimate(json, t.cpu_ns);
    optional_estimate(json, "wait_ns", t.wait_ns);
    optional_estimate(json, "switches", t.switches);
    json.end_object();
  }
  json.end_array().key("counters").begin_array();
  for (const Counter& c : l.counters) write_counter(json, c);
  json.end_array().end_object();
}

void write_members(JsonWriter& json, const Layer& layer) {
  json.key("kernels").begin_array();
  for (const Kernel& k : layer.kernels) {
    json.begin_object().key("name").value(k.name).key("type").value(k.type).key("time_ns");
    write_estimate(json, k.time_ns);
    json.end_object();
  }
  json.end_array().key("members").begin_array();
  for (const Member& m : layer.members)
    json.begin_object()
        .key("node")
        .value(m.node)
        .key("role")
        .value(name(m.role))
        .key("evidence")
        .value(name(m.evidence))
        .end_object();
  json.end_array();
}

/// Writes the two cuts between which the layer's time was verified, and the difference of that
/// segment.
void write_rests_on(JsonWriter& json, const Segment& s) {
  const auto node = [](const VerifiedCut* cut) {
    return cut == nullptr ? std::nullopt : std::optional(cut->node);
  };
  json.key("verified").begin_object().key("from").value(node(s.from)).key("to").value(node(s.to));
  json.key("difference").value(s.difference).end_object();
}

void write_layer_row(JsonWriter& json, const Layer& layer, const Segment* segment) {
  json.line().begin_object();
  json.key("index").value(layer.index).key("name").value(layer.name).key("type").value(layer.type);
  json.key("implementation").value(layer.implementation).key("precision").value(layer.precision);
  json.key("layout")
      .value(layer.layout)
      .key("order")
      .value(layer.order)
      .key("inserted")
      .value(layer.inserted);
  json.key("module").value(layer.module).key("time_ns");
  write_estimate(json, layer.time_ns);
  json.key("corrected_ns").value(layer.corrected_ns);
  if (layer.corrected) {
    json.key("corrected_ci95");
    interval(json, *layer.corrected);
  }
  if (segment) write_rests_on(json, *segment);
  json.key("below_resolution").value(layer.below_resolution).key("runs_ns").begin_array();
  for (const std::int64_t ns : layer.runs_ns) json.value(ns);
  json.end_array();
  json.key("share").value(layer.share).key("executions").value(layer.executions);
  write_members(json, layer);
  write_work(json, layer.work);
  json.key("bytes").value(layer.bytes).key("output_bytes").value(layer.output_bytes);
  const auto giga = [](std::optional<double> x) { return x ? std::optional(*x / 1e9) : x; };
  json.key("gflop_per_s").value(giga(layer.flop_per_s));
  json.key("gb_per_s").value(giga(layer.bytes_per_s));
  json.key("intensity").value(layer.intensity);
  json.key("bound").value(layer.bound.kind);
  json.key("bound_ns").value(layer.bound.time_ns);
  json.key("roof_share").value(layer.bound.roof_share);
  json.key("bound_reason").value(layer.bound.reason);
  if (const Least& least = layer.least; least.macs || least.bytes) {
    json.key("least").begin_object().key("macs").value(least.macs).key("bytes").value(least.bytes);
    json.key("line_bytes").value(least.line_bytes).key("trips").value(least.trips);
    json.key("streamed").value(least.streamed).end_object();
  }
  json.end_object();
}

void write_nodes(JsonWriter& json, const Profile& p) {
  json.line().key("nodes").begin_array();
  for (const Node& n : p.nodes) write_node(json, n);
  json.end_array();
  json.line().key("nodes_without_layer").begin_array();
  for (const WithoutLayer& n : p.without_layer) {
    json.line()
        .begin_object()
        .key("node")
        .value(n.node)
        .key("why")
        .value(name(n.why))
        .key("with")
        .value(n.with);
    json.end_object();
  }
  json.end_array();
  json.line().key("unattributed").begin_object();
  json.key("layers")
      .value(p.unattributed_layers)
      .key("time_share")
      .value(p.unattributed_share)
      .end_object();
}

void write_roofs(JsonWriter& json, const std::vector<Roof>& roofs) {
  json.line().key("ceilings").begin_array();
  for (const Roof& r : roofs) {
    json.line().begin_object().key("kind").value(r.kind).key("dtype").value(r.dtype).key("level");
    json.value_or_null(r.level);
    json.key("threads").value(r.threads).key("value").value(r.value).key("unit").value(r.unit);
    json.key("ci95").begin_array().value(r.low).value(r.high).end_array();
    json.key("theory").value(r.theory);
    json.key("instruction").value(r.instruction).end_object();
  }
  json.end_array();
}

void write_modules(JsonWriter& json, const std::vector<Module>& modules) {
  json.line().key("modules").begin_array();
  for (const Module& m : modules) {
    json.line()
        .begin_object()
        .key("path")
        .value(m.path)
        .key("depth")
        .value(m.depth)
        .key("layers")
        .value(m.layers);
    json.key("time_ns").value(m.time_ns).key("share").value(m.share);
    write_work(json, m.work);
    json.key("bytes").value(m.bytes).end_object();
  }
  json.end_array();
}

void write_cut(JsonWriter& json, const VerifiedCut& c) {
  json.line().begin_object().key("node").value(c.node).key("tensor").value(c.tensor);
  json.key("layers").value(c.layers).key("layers_ns").value(c.layers_ns);
  json.key("outside_ns").value(c.outside_ns).key("part_ns").value(c.part_ns.median).key("ci95_ns");
  interval(json, c.part_ns);
  json.key("inserted_ns").value(c.inserted_ns);
  json.key("difference").value(c.difference.median).key("difference_ci95");
  interval(json, c.difference);
  optional_estimate(json, "explained_ns", c.explained_ns);
  json.key("verdict").value(name(c.verdict)).end_object();
}

void write_verification(JsonWriter& json, const Verification& v) {
  json.line().key("verification").begin_array();
  for (const VerifiedCut& c : v.cuts) write_cut(json, c);
  json.end_array().key("verification_reason").value(v.reason);
}

void write_span(JsonWriter& json, const Timeline& t, const Span& s) {
  json.line().begin_object().key("level").value(name(s.level)).key("name").value(s.name);
  json.key("start_ns").value(s.start_ns).key("end_ns").value(s.end_ns);
  if (s.parent != kNoSpan) json.key("parent").value(s.parent);
  if (s.thread != 0) json.key("thread").value(s.thread);
  if (s.device != 0) json.key("device").value(s.device);
  if (s.queue != 0) json.key("queue").value(s.queue);
  if (s.correlation != 0) json.key("correlation").value(static_cast<std::int64_t>(s.correlation));
  if (s.attributes != 0) {
    json.key("attributes").begin_object();
    for (const SpanAttribute* a = t.begin(s); a != t.end(s); ++a)
      json.name(t.text(a->key)).value(t.text(a->value));
    json.end_object();
  }
  json.end_object();
}

void write_timeline(JsonWriter& json, const Timeline& t) {
  json.line().key("timeline").begin_object().key("texts").begin_array();
  for (TextId id = 0; id < t.texts(); ++id) json.value(t.text(id));
  json.end_array().line().key("spans").begin_array();
  for (const Span& s : t.spans()) write_span(json, t, s);
  json.end_array().end_object();
}

void write_reference(JsonWriter& json, const std::vector<ReferenceTime>& readings) {
  json.line().key("reference").begin_array();
  for (const ReferenceTime& t : readings)
    json.begin_object()
        .key("when")
        .value(t.processes)
        .key("kernel")
        .value(t.kernel)
        .key("ns")
        .value(t.ns)
        .end_object();
  json.end_array();
}

void write_effect(JsonWriter& json, const SweepAxis& axis) {
  json.line().begin_object().key("axis").value(name(axis.kind)).key("size");
  json.value_or_null(axis.size).key("base").value(axis.base).key("text").value(text(axis));
  json.key("steps").begin_array();
  for (const SweepAxis::Step& s : axis.steps) {
    json.line().begin_object().key("value").value(s.value).key("others").value(s.others);
    json.key("ratio").value(s.ratio).key("ci95");
    if (s.interval)
      json.begin_array().value(s.interval->lo).value(s.interval->hi).end_array();
    else
      json.null();
    json.key("reason").value_or_null(s.reason).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_profile(JsonWriter& json, const Profile& p) {
  json.begin_object().key("schema").value("ridge.profile/1");
  json.line().key("host").raw(p.host_json.empty() ? "{}" : p.host_json);
  json.line();
  write_subject(json, p.subject);
  write_latency(json, p);
  write_profiling(json, p.profiling);
  json.line().key("layers").begin_array();
  const std::vector<Segment> verified = segments(p);
  for (std::uint32_t l = 0; l < p.layers.size(); ++l)
    write_layer_row(json, p.layers[l], segment_of(verified, l));
  json.end_array();
  write_nodes(json, p);
  write_roofs(json, p.roofs);
  write_modules(json, p.modules);
  if (p.verification.asked()) write_verification(json, p.verification);
  if (!p.levels.empty()) write_levels(json, p.levels);
  if (!p.reference.empty()) write_reference(json, p.reference);
  if (!p.timeline.empty()) write_timeline(json, p.timeline);
  json.line().key("notes").begin_array();
  for (const std::string& note : p.notes) json.value(note);
  json.end_array().end_object();
}

void write_interval(JsonWriter& json, const Estimate& e) {
  if (std::isnan(e.low) || std::isnan(e.high))
    json.null();
  else
    json.begin_array().value(e.low).value(e.high).end_array();
}

void write_options(JsonWriter& json, const Subject& subject) {
  json.begin_object();
  for (const auto& [key, text] : all_options(subject)) {
    const auto number = key == "threads" ? whole_number(text) : std::nullopt;
    json.name(key);
    if (number)
      json.value(*number);
    else
      json.value(text);
  }
  json.end_object();
}

void write_layer(JsonWriter& json, const Profile& profile, const Layer& layer) {
  const std::vector<Segment> verified = segments(profile);
  const auto place = static_cast<std::uint32_t>(&layer - profile.layers.data());
  write_layer_row(json, layer, segment_of(verified, place));
}

void write_node(JsonWriter& json, const Node& n) {
  json.line().begin_object().key("index").value(n.index).key("parent").value(n.parent);
  json.key("repeat")
      .value(n.repeat == kUnknownRepeat ? Count() : Count(n.repeat))
      .key("name")
      .value(n.name)
      .key("op_type")
      .value(n.op_type)
      .key("domain")
      .value(n.domain);
  json.key("module").value(n.module).key("status").value(n.status).key("output").value(
      n.output_shape);
  write_work(json, n.work);
  json.key("bytes_read")
      .value(n.bytes_read)
      .key("bytes_written")
      .value(n.bytes_written)
      .key("params")
      .value(n.params);
  json.end_object();
}

void write_json(const Profile& profile, Sink& sink) {
  {
    JsonWriter json(sink);
    write_profile(json, profile);
  }
  sink.write("\n");
}

void write_json(const Sweep& sweep, Sink& sink) {
  {
    JsonWriter json(sink);
    json.begin_object()
        .key("schema")
        .value("ridge.profiles/1")
        .key("sweep")
        .begin_object()
        .key("points")
        .begin_array();
    for (const SweepPoint& p : sweep.points()) {
      json.line()
          .begin_object()
          .key("label")
          .value(p.label)
          .key("runtime")
          .value(p.runtime)
          .key("batch")
          .value(p.batch)
          .key("threads")
          .value(p.threads);
      json.key("median_ns").value(p.latency_ns.median).key("ci95_ns");
      interval(json, p.latency_ns);
      json.key("items_per_s").value(p.items_per_s).end_object();
    }
    json.end_array().line().key("effects").begin_array();
    for (const SweepAxis& axis : sweep.axes()) write_effect(json, axis);
    json.end_array().key("knee_batch").value(sweep.knee_batch()).end_object();
    json.line().key("profiles").begin_array();
    for (const Profile& p : sweep.profiles) {
      json.line();
      write_profile(json, p);
    }
    json.end_array().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::profile
