#include "export/profile/rows.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Span;
using profile::Timeline;

void write_work(JsonWriter& json, const Layer& l) {
  json.key("macs").value(l.work.macs).key("flops").value(l.work.flops);
  json.key("special").value(l.work.special).key("int_ops").value(l.work.int_ops);
  json.key("bytes").value(l.bytes).key("output_bytes").value(l.output_bytes);
  json.key("flop_per_s").value(l.flop_per_s).key("bytes_per_s").value(l.bytes_per_s);
  json.key("intensity").value(l.intensity).key("bound").value_or_null(l.bound.kind);
  json.key("bound_ns").value(l.bound.time_ns).key("roof_share").value(l.bound.roof_share);
}

void write_profiled_layer(JsonWriter& json, const profile::Profile& p, const Layer& l) {
  json.begin_object().key("model").value(p.subject.path).key("runtime").value(p.subject.runtime);
  json.key("index").value(l.index).key("name").value(l.name).key("type").value(l.type);
  json.key("implementation").value(l.implementation).key("precision").value(l.precision);
  json.key("layout").value(l.layout).key("inserted").value(l.inserted);
  json.key("module").value(l.module).key("time_ns").value(l.time_ns.median);
  json.key("time_low_ns").value(l.time_ns.low).key("time_high_ns").value(l.time_ns.high);
  json.key("corrected_ns").value(l.corrected_ns).key("share").value(l.share);
  json.key("executions").value(l.executions).key("members").begin_array();
  for (const profile::Member& m : l.members) {
    json.begin_object().key("node").value(m.node).key("name");
    json.value_or_null(m.node < p.nodes.size() ? p.nodes[m.node].name : std::string_view());
    json.key("role").value(name(m.role)).key("evidence").value(name(m.evidence)).end_object();
  }
  json.end_array();
  write_work(json, l);
  json.key("runs_ns").begin_array();
  for (const std::int64_t ns : l.runs_ns) json.value(ns);
  json.end_array().end_object();
}

std::string attributes_of(const Timeline& t, const Span& span) {
  StringSink out;
  JsonWriter json(out);
  json.begin_object();
  for (auto a = t.begin(span); a != t.end(span); ++a)
    json.name(t.text(a->key)).value(t.text(a->value));
  json.end_object();
  return out.text();
}

}  // namespace

void write_layer_lines(const profile::Profile& p, Sink& sink) {
  for (const Layer* layer : in_order(p)) {
    {
      JsonWriter json(sink);
      write_profiled_layer(json, p, *layer);
    }
    sink.write("\n");
  }
}

void write_span_rows(const profile::Profile& p, Sink& sink) {
  const AnyTimeline any(p);
  const Timeline& t = *any;
  sink.write("id,parent,level,name,start_ns,end_ns,thread,device,queue,correlation,attributes\n");
  const auto text = [&](profile::TextId id) { return csv_field(t.text(id)); };
  std::size_t id = 0;
  for (const Span& s : t.spans()) {
    const std::string parent = s.parent == profile::kNoSpan ? "" : std::to_string(s.parent);
    const std::string correlation = s.correlation == 0 ? "" : std::to_string(s.correlation);
    sink.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", id++, parent, name(s.level),
                           text(s.name), s.start_ns, s.end_ns, text(s.thread), text(s.device),
                           text(s.queue), correlation, csv_field(attributes_of(t, s))));
  }
}

}  // namespace ridge::exports
