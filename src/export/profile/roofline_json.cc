#include "export/profile/roofline_json.h"

#include <cmath>
#include <optional>

#include "base/json_writer.h"
#include "roofline/point_roof.h"

namespace ridge::exports {
namespace {

using profile::ModelPoint;
using roofline::Roofs;

std::optional<double> ratio(double a, double b) {
  const double out = a / b;
  return std::isfinite(out) ? std::optional(out) : std::nullopt;
}

std::optional<double> finite(double x) { return ratio(x, 1); }

void write_point(const ModelPoint& p, std::optional<double> peak, JsonWriter& json) {
  const auto rate = ratio(p.operations * 1e9, p.latency_ns);
  json.line().begin_object().key("name").value(p.name).key("machine").value_or_null(p.machine);
  json.key("runtime").value(p.runtime);
  json.key("threads").value(p.threads).key("latency_ns").value(finite(p.latency_ns));
  json.key("dtype").value(roofline::main_type(p)).key("compute_roof").value(peak);
  json.key("operations").value(p.operations).key("bytes").value(p.bytes);
  json.key("flop_per_s").value(rate);
  json.key("bytes_per_s").value(ratio(p.bytes * 1e9, p.latency_ns));
  json.key("intensity").value(ratio(p.operations, p.bytes));
  json.key("roof_share").value(rate && peak ? ratio(*rate, *peak) : std::nullopt).end_object();
}

void write_roofs(std::int32_t threads, const Roofs& roofs, JsonWriter& json) {
  json.line().begin_object().key("threads").value(threads).line().key("compute").begin_array();
  for (const profile::Roof& roof : roofs.compute)
    json.line()
        .begin_object()
        .key("dtype")
        .value(roof.dtype)
        .key("flop_per_s")
        .value(roofs.flop_per_s(roof.dtype))
        .end_object();
  json.end_array().line().key("levels").begin_array();
  for (const roofline::Level& level : roofs.levels) {
    json.line().begin_object().key("name").value(level.name);
    json.key("bytes").value(level.capacity > 0 ? std::optional(level.capacity) : std::nullopt);
    json.key("bytes_per_s").value(level.bytes_per_s).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_roofline_json(std::span<const ModelPoint> points,
                         const std::map<std::int32_t, Roofs>& roofs,
                         std::span<const std::string> notes, Sink& sink) {
  {
    JsonWriter json(sink);
    json.begin_object().key("schema").value("ridge.roofline/1").line().key("points").begin_array();
    for (const ModelPoint& p : points)
      write_point(p, roofline::compute_roof(p, roofs.at(p.threads)), json);
    json.end_array().line().key("roofs").begin_array();
    for (const auto& [threads, of_threads] : roofs) write_roofs(threads, of_threads, json);
    json.end_array().line().key("notes").begin_array();
    for (const std::string& note : notes) json.value(note);
    json.end_array().end_object().line();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
