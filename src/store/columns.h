// Mapping of members to columns: one list per table. The store writes rows, reads them back and
// digests their content by the same list, so that the three cannot disagree.
//
//   columns(roof, [&](std::string_view column, auto& member) { ... });
//
// The caller handles the key columns (run, position). A member that is added to profile/profile.h,
// profile/suite.h or profile/checked_finding.h needs a line here and a column in a step of
// schema.cc.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <type_traits>

#include "profile/checked_finding.h"
#include "profile/evaluation_record.h"
#include "profile/profile.h"
#include "profile/suite.h"

namespace ridge::store {

template <typename T, typename Row>
concept Of = std::same_as<std::remove_const_t<T>, Row>;

/// Row types for the maps and the lists of plain values in a profile.
struct Opset {
  std::string domain;
  std::int64_t version = 0;
};
struct BindingRow {
  std::string name;
  std::int64_t value = 0;
  bool assumed = false;
};
struct OptionRow {
  std::string name, value;
};
struct TimeRow {
  std::int64_t time_ns = 0;
};
struct NoteRow {
  std::string note;
};
/// Interned text of a run's Timeline.
struct TextRow {
  std::string value;
};
/// Span whose text ids refer to the store's table text.
struct SpanRow {
  std::optional<std::uint32_t> parent;
  profile::Level level = profile::Level::kModel;
  std::uint32_t name = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t thread = 0, device = 0, queue = 0;
  std::int64_t correlation = 0;  ///< bit pattern of the unsigned Span::correlation
};
struct AttributeRow {
  std::uint32_t key = 0, value = 0;
};
/// Node that a checked finding concerns.
struct CheckedNode {
  std::uint32_t node = 0;
};
/// Evaluation without its document.
struct EvaluationHead : profile::EvaluationRecord {};

void work_columns(Of<profile::Work> auto& w, auto&& f) {
  f("macs", w.macs);
  f("flops", w.flops);
  f("special", w.special);
  f("int_ops", w.int_ops);
}

/// Three columns of one optional estimate; all are NULL where it is absent.
void estimate_columns(std::string_view median_name, std::string_view low_name,
                      std::string_view high_name, auto& e, auto&& f) {
  std::optional<double> median, low, high;
  if (e) {
    median = e->median;
    low = e->low;
    high = e->high;
  }
  f(median_name, median);
  f(low_name, low);
  f(high_name, high);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(e)>>) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    e.reset();
    if (median) e = profile::Estimate{*median, low.value_or(kNone), high.value_or(kNone)};
  }
}

void columns(Of<profile::Node> auto& n, auto&& f) {
  f("node", n.index);
  f("parent", n.parent);
  f("repeat", n.repeat);
  f("name", n.name);
  f("op_type", n.op_type);
  f("domain", n.domain);
  f("module", n.module);
  f("status", n.status);
  work_columns(n.work, f);
  f("bytes_read", n.bytes_read);
  f("bytes_written", n.bytes_written);
  f("params", n.params);
  f("output_shape", n.output_shape);
}

/// Columns of table run: the members that a run has once.
void columns(Of<profile::Profile> auto& p, auto&& f) {
  auto& s = p.subject;
  f("kind", s.kind);
  f("path", s.path);
  f("graph_hash", s.graph_hash);
  f("producer", s.producer);
  f("ir_version", s.ir_version);
  f("weights", s.weights);
  f("runtime", s.runtime);
  f("runtime_version", s.runtime_version);
  f("runtime_library", s.runtime_library);
  f("ridge_version", s.ridge_version);
  f("host", p.host_json);
  f("load_ns", p.load_ns);
  f("first_run_ns", p.first_run_ns);
  f("latency_ns", p.latency.ns.median);
  f("latency_low_ns", p.latency.ns.low);
  f("latency_high_ns", p.latency.ns.high);
  f("rejected", p.latency.rejected);
  f("items_per_s", p.items_per_s);
  f("batch", p.batch);
  auto& o = p.profiling;
  f("profiled_ns", o.profiled_latency_ns.median);
  f("profiled_low_ns", o.profiled_latency_ns.low);
  f("profiled_high_ns", o.profiled_latency_ns.high);
  f("excess_ns", o.excess_ns.median);
  f("excess_low_ns", o.excess_ns.low);
  f("excess_high_ns", o.excess_ns.high);
  f("event_cost_ns", o.event_cost_ns);
  f("event_share_ns", o.event_share_ns);
  f("resolution_ns", o.resolution_ns);
  f("cheapest_kernel_ns", o.cheapest_kernel_ns);
  f("raw_sum_ns", o.raw_sum_ns);
  f("corrected_sum_ns", o.corrected_sum_ns);
  f("gaps_ns", o.gaps_ns);
  f("disturbance_ns", o.disturbance_ns);
  f("outside_layers_ns", o.outside_layers_ns);
  f("residual_share", o.residual_share);
  estimate_columns("event_ns", "event_low_ns", "event_high_ns", o.event_cost, f);
  estimate_columns("fixed_ns", "fixed_low_ns", "fixed_high_ns", o.fixed_cost, f);
  estimate_columns("predicted_ns", "predicted_low_ns", "predicted_high_ns", o.predicted_profiled_ns,
                   f);
  estimate_columns("total_ns", "total_low_ns", "total_high_ns", o.total_ns, f);
  estimate_columns("factor", "factor_low", "factor_high", o.factor, f);
  estimate_columns("unscaled_residual", "unscaled_residual_low", "unscaled_residual_high",
                   o.unscaled_residual, f);
  estimate_columns("predicted_ratio", "predicted_ratio_low", "predicted_ratio_high",
                   o.predicted_ratio, f);
  f("layer_times", o.layer_times);
  f("unattributed_layers", p.unattributed_layers);
  f("unattributed_share", p.unattributed_share);
  auto& l = p.levels;
  estimate_columns("deepest_ns", "deepest_low_ns", "deepest_high_ns", l.deepest_ns, f);
  estimate_columns("predicted_deepest_ns", "predicted_deepest_low_ns", "predicted_deepest_high_ns",
                   l.predicted_deepest_ns, f);
  estimate_columns("imbalance", "imbalance_low", "imbalance_high", l.imbalance, f);
  f("verification_reason", p.verification.reason);
}

void columns(Of<Opset> auto& o, auto&& f) {
  f("domain", o.domain);
  f("version", o.version);
}

void columns(Of<BindingRow> auto& b, auto&& f) {
  f("name", b.name);
  f("value", b.value);
  f("assumed", b.assumed);
}

void columns(Of<OptionRow> auto& o, auto&& f) {
  f("name", o.name);
  f("value", o.value);
}

void columns(Of<profile::Process> auto& p, auto&& f) {
  f("warmup_dropped", p.warmup_dropped);
  f("steadiness", p.steadiness);
}

void columns(Of<TimeRow> auto& t, auto&& f) { f("time_ns", t.time_ns); }

void columns(Of<profile::Layer> auto& l, auto&& f) {
  f("layer", l.index);
  f("name", l.name);
  f("type", l.type);
  f("implementation", l.implementation);
  f("precision", l.precision);
  f("layout", l.layout);
  f("execution", l.order);
  f("inserted", l.inserted);
  f("below_resolution", l.below_resolution);
  f("time_ns", l.time_ns.median);
  f("time_low_ns", l.time_ns.low);
  f("time_high_ns", l.time_ns.high);
  f("corrected_ns", l.corrected_ns);
  estimate_columns("corrected_median_ns", "corrected_low_ns", "corrected_high_ns", l.corrected, f);
  f("share", l.share);
  f("executions", l.executions);
  work_columns(l.work, f);
  f("bytes", l.bytes);
  f("output_bytes", l.output_bytes);
  f("flop_per_s", l.flop_per_s);
  f("bytes_per_s", l.bytes_per_s);
  f("intensity", l.intensity);
  f("least_macs", l.least.macs);
  f("least_bytes", l.least.bytes);
  f("least_line_bytes", l.least.line_bytes);
  f("least_trips", l.least.trips);
  f("least_streamed", l.least.streamed);
  f("bound", l.bound.kind);
  f("bound_ns", l.bound.time_ns);
  f("roof_share", l.bound.roof_share);
  f("bound_reason", l.bound.reason);
  f("module", l.module);
}

void columns(Of<profile::Kernel> auto& k, auto&& f) {
  f("name", k.name);
  f("type", k.type);
  f("time_ns", k.time_ns.median);
  f("time_low_ns", k.time_ns.low);
  f("time_high_ns", k.time_ns.high);
}

void columns(Of<profile::Member> auto& m, auto&& f) {
  f("node", m.node);
  f("role", m.role);
  f("evidence", m.evidence);
}

void columns(Of<profile::WithoutLayer> auto& n, auto&& f) {
  f("node", n.node);
  f("why", n.why);
  f("with_node", n.with);
}

void columns(Of<profile::Module> auto& m, auto&& f) {
  f("path", m.path);
  f("depth", m.depth);
  f("time_ns", m.time_ns);
  f("share", m.share);
  work_columns(m.work, f);
  f("bytes", m.bytes);
  f("layers", m.layers);
}

void columns(Of<profile::ReferenceTime> auto& t, auto&& f) {
  f("processes", t.processes);
  f("kernel", t.kernel);
  f("time_ns", t.ns);
}

void columns(Of<profile::Roof> auto& r, auto&& f) {
  f("kind", r.kind);
  f("dtype", r.dtype);
  f("level", r.level);
  f("unit", r.unit);
  f("instruction", r.instruction);
  f("threads", r.threads);
  f("value", r.value);
  f("low", r.low);
  f("high", r.high);
  f("theory", r.theory);
}

void columns(Of<profile::LevelCost> auto& c, auto&& f) {
  f("level", c.level);
  f("runs", c.runs);
  f("events", c.events);
  f("latency_ns", c.latency_ns.median);
  f("latency_low_ns", c.latency_ns.low);
  f("latency_high_ns", c.latency_ns.high);
  f("event_ns", c.event_cost.median);
  f("event_low_ns", c.event_cost.low);
  f("event_high_ns", c.event_cost.high);
  f("fixed_ns", c.fixed_cost.median);
  f("fixed_low_ns", c.fixed_cost.low);
  f("fixed_high_ns", c.fixed_cost.high);
}

void columns(Of<profile::ThreadWork> auto& t, auto&& f) {
  f("name", t.name);
  f("cpu_ns", t.cpu_ns.median);
  f("cpu_low_ns", t.cpu_ns.low);
  f("cpu_high_ns", t.cpu_ns.high);
  estimate_columns("wait_ns", "wait_low_ns", "wait_high_ns", t.wait_ns, f);
  estimate_columns("switches", "switches_low", "switches_high", t.switches, f);
}

void columns(Of<profile::Counter> auto& c, auto&& f) {
  f("name", c.name);
  f("unit", c.unit);
  f("origin", c.origin);
  estimate_columns("value", "value_low", "value_high", c.value, f);
  f("running_share", c.running_share);
  f("reason", c.reason);
}

void columns(Of<profile::VerifiedCut> auto& c, auto&& f) {
  f("node", c.node);
  f("tensor", c.tensor);
  f("layers", c.layers);
  f("layers_ns", c.layers_ns);
  f("outside_ns", c.outside_ns);
  f("part_ns", c.part_ns.median);
  f("part_low_ns", c.part_ns.low);
  f("part_high_ns", c.part_ns.high);
  f("inserted_ns", c.inserted_ns);
  f("difference", c.difference.median);
  f("difference_low", c.difference.low);
  f("difference_high", c.difference.high);
  estimate_columns("explained_ns", "explained_low_ns", "explained_high_ns", c.explained_ns, f);
  f("verdict", c.verdict);
}

void columns(Of<NoteRow> auto& n, auto&& f) { f("note", n.note); }

void columns(Of<TextRow> auto& t, auto&& f) { f("value", t.value); }

void columns(Of<SpanRow> auto& s, auto&& f) {
  f("parent", s.parent);
  f("level", s.level);
  f("name", s.name);
  f("start_ns", s.start_ns);
  f("end_ns", s.end_ns);
  f("thread", s.thread);
  f("device", s.device);
  f("queue", s.queue);
  f("correlation", s.correlation);
}

void columns(Of<AttributeRow> auto& a, auto&& f) {
  f("key", a.key);
  f("value", a.value);
}

void columns(Of<profile::SuiteProcess> auto& p, auto&& f) {
  f("point", p.point);
  f("recorded_s", p.recorded_s);
  f("load_s", p.load_s);
  f("run_s", p.run_s);
}

void columns(Of<profile::SuiteBrick> auto& b, auto&& f) {
  f("key", b.key);
  f("kind", b.kind);
  f("macs", b.macs);
  f("bytes", b.bytes);
  f("load_ns", b.load_ns);
  f("reuse_bytes", b.reuse_bytes);
}

void columns(Of<profile::BrickRun> auto& r, auto&& f) {
  f("round", r.round);
  f("reported_ns", r.reported_ns);
  f("events", r.events);
  f("foreign_cpus", r.foreign_cpus);
}

void columns(Of<profile::ChainRun> auto& r, auto&& f) {
  f("kernels", r.kernels);
  f("round", r.round);
  f("plain_ns", r.plain_ns);
  f("profiled_ns", r.profiled_ns);
  f("reported_ns", r.reported_ns);
  f("foreign_cpus", r.foreign_cpus);
  f("bytes", r.bytes);
}

void columns(Of<profile::LostBrick> auto& b, auto&& f) {
  f("key", b.key);
  f("why", b.why);
}

void columns(Of<profile::CheckedFinding> auto& c, auto&& f) {
  f("recorded_s", c.recorded_s);
  f("model", c.model);
  f("graph_hash", c.graph_hash);
  f("point", c.point);
  f("runtime", c.runtime);
  f("runtime_version", c.runtime_version);
  f("ridge_version", c.ridge_version);
  f("threads", c.threads);
  f("host", c.host);
  f("finding", c.finding);
  f("question", c.question);
  f("kind", c.kind);
  f("predicted_ns", c.predicted_ns.median);
  f("predicted_low_ns", c.predicted_ns.low);
  f("predicted_high_ns", c.predicted_ns.high);
  f("gain_ns", c.gain_ns.median);
  f("gain_low_ns", c.gain_ns.low);
  f("gain_high_ns", c.gain_ns.high);
  f("before_ns", c.before_ns.median);
  f("before_low_ns", c.before_ns.low);
  f("before_high_ns", c.before_ns.high);
  f("after_ns", c.after_ns.median);
  f("after_low_ns", c.after_ns.low);
  f("after_high_ns", c.after_ns.high);
  f("state", c.state);
  f("prediction", c.prediction);
  f("reason", c.reason);
  f("max_abs", c.max_abs);
  f("max_rel", c.max_rel);
  f("lossless", c.lossless);
}

void columns(Of<CheckedNode> auto& n, auto&& f) { f("node", n.node); }

void head_columns(auto& e, auto&& f) {
  f("recorded_s", e.recorded_s);
  f("point", e.point);
  f("model", e.model);
  f("model_sha256", e.model_sha256);
  f("data", e.data);
  f("scenario", e.scenario);
  f("runtime", e.runtime);
  f("runtime_version", e.runtime_version);
  f("ridge_version", e.ridge_version);
  f("threads", e.threads);
  f("host", e.host);
  f("queries_per_s", e.queries_per_s);
  f("median_ns", e.median_ns);
  f("top1", e.top1);
  f("validity", e.validity);
}

void columns(Of<EvaluationHead> auto& e, auto&& f) { head_columns(e, f); }

void columns(Of<profile::EvaluationRecord> auto& e, auto&& f) {
  head_columns(e, f);
  f("document", e.document);
}

}  // namespace ridge::store
