#include "export/chrome_trace.h"

#include <algorithm>
#include <vector>

#include "base/json_writer.h"
#include "export/profile_table.h"

namespace ridge::exports {
namespace {

constexpr int kLayerTrack = 1, kKernelTrack = 2;

JsonWriter& begin_event(JsonWriter& json, std::string_view name, std::string_view category,
                        int track, double start_ns, double ns) {
  json.line()
      .begin_object()
      .key("name")
      .value(name)
      .key("cat")
      .value(category)
      .key("ph")
      .value("X")
      .key("pid")
      .value(1)
      .key("tid")
      .value(track);
  return json.key("ts").value(start_ns / 1e3).key("dur").value(ns / 1e3).key("args").begin_object();
}

void name_track(JsonWriter& json, int track, std::string_view name) {
  json.line()
      .begin_object()
      .key("name")
      .value("thread_name")
      .key("ph")
      .value("M")
      .key("pid")
      .value(1)
      .key("tid")
      .value(track);
  json.key("args").begin_object().key("name").value(name).end_object().end_object();
}

void write_layer(JsonWriter& json, const profile::Profile& p, const profile::Layer& layer,
                 double start_ns) {
  begin_event(json, member_names(p, layer), layer.type, kLayerTrack, start_ns, layer.corrected_ns);
  json.key("layer")
      .value(layer.index)
      .key("time")
      .value("median, profiler's part taken out")
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

}  // namespace

void write_chrome_trace(const profile::Profile& p, Sink& sink) {
  std::vector<const profile::Layer*> order;
  for (const profile::Layer& layer : p.layers) order.push_back(&layer);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->order < b->order; });
  {
    JsonWriter json(sink);
    json.begin_object().key("displayTimeUnit").value("ns").key("traceEvents").begin_array();
    name_track(json, kLayerTrack, "layers");
    name_track(json, kKernelTrack, "kernels");
    double at = 0;
    for (const profile::Layer* layer : order) {
      write_layer(json, p, *layer, at);
      at += layer->corrected_ns;
    }
    json.end_array().end_object();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
