#include "export/chrome_trace.h"

#include <algorithm>

#include "base/json_writer.h"
#include "export/chrome_spans.h"
#include "export/made_timeline.h"
#include "export/profile_table.h"

namespace ridge::exports {
namespace {

constexpr int kLayerTrack = 1, kKernelTrack = 2;

JsonWriter& begin_event(JsonWriter& json, std::string_view name, std::string_view category,
                        int track, double start_ns, double ns) {
  const auto start = static_cast<std::uint64_t>(whole_ns(start_ns));
  const auto end = static_cast<std::uint64_t>(whole_ns(start_ns + std::max(0.0, ns)));
  json.line().begin_object().key("name").value(name).key("cat").value(category);
  json.key("ph").value("X").key("pid").value(1).key("tid").value(track);
  json.key("ts").raw(microseconds(start)).key("dur").raw(microseconds(end - start));
  return json.key("args").begin_object();
}

void write_layer(JsonWriter& json, const profile::Profile& p, const profile::Layer& layer,
                 double start_ns) {
  begin_event(json, member_names(p, layer), layer.type, kLayerTrack, start_ns, layer.corrected_ns);
  json.key("layer")
      .value(layer.index)
      .key("time")
      .value(kMadeTime)
      .key("macs")
      .value(layer.work.macs);
  json.key("bound").value(layer.bound.kind).key("nodes").begin_array();
  for (const profile::Member& m : layer.members) json.value(m.node);
  json.end_array().end_object().end_object();
  double reported = 0;
  for (const profile::Kernel& k : layer.kernels) reported += k.time_ns.median;
  double at = start_ns;
  for (const profile::Kernel& k : layer.kernels) {
    // Kernels share the layer's corrected time as they share its reported time.
    const double ns = reported > 0 ? k.time_ns.median / reported * layer.corrected_ns : 0;
    begin_event(json, k.name, k.type, kKernelTrack, at, ns)
        .key("reported_ns")
        .value(k.time_ns.median)
        .end_object()
        .end_object();
    at += ns;
  }
}

void write_made(const profile::Profile& p, JsonWriter& json) {
  name_chrome_track(json, "thread_name", 1, kLayerTrack, "layers");
  name_chrome_track(json, "thread_name", 1, kKernelTrack, "kernels");
  double at = 0;
  for (const profile::Layer* layer : in_order(p)) {
    write_layer(json, p, *layer, at);
    at += std::max(0.0, layer->corrected_ns);
  }
}

}  // namespace

void write_chrome_trace(const profile::Profile& p, Sink& sink) {
  {
    JsonWriter json(sink);
    json.begin_object().key("displayTimeUnit").value("ns").key("traceEvents").begin_array();
    if (p.timeline.empty())
      write_made(p, json);
    else
      write_chrome_spans(p.timeline, json);
    json.end_array().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
